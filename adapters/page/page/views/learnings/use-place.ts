import { useEffect, useRef, useState } from "preact/hooks";
import type { AnswerOf } from "../../../server/answers/index.ts";

type Answer = AnswerOf<"learnings">;

interface Place {
  readonly id: number;
  /** The index among all matches. */
  readonly place: number;
  readonly mark: Answer["rows"][number]["mark"];
}

/**
 * Steps through the matches from the selected learning, also to rows that are not loaded yet. After
 * a mark moves the learning, the next step goes to its former neighbour.
 *
 * @returns `show`: the row to scroll to, or undefined to leave the list where it is
 */
export function usePlace(answer: Answer, chosen: number | undefined, choose: (id: number) => void) {
  const last = useRef<Place>();
  const rowAt = (place: number) => answer.rows[place - answer.row];
  const at = answer.rows.findIndex(({ id }) => id === chosen);
  const row = answer.rows[at];
  const now = row && { id: row.id, place: answer.row + at, mark: row.mark };
  if (now && !(last.current?.id === now.id && last.current.mark !== now.mark)) last.current = now;
  const known = last.current?.id === chosen ? last.current : undefined;
  const [show, setShow] = useState(now?.place);
  const hasStepped = useRef(false);
  const found = show === undefined ? undefined : rowAt(show)?.id;
  useEffect(() => {
    if (found === undefined) return;
    // Unless another step followed.
    setShow((now) => (now === show ? undefined : now));
    if (hasStepped.current) choose(found);
  }, [found]);
  return {
    show,
    step(by: 1 | -1): void {
      hasStepped.current = true;
      setShow(Math.max(0, Math.min(answer.found - 1, next())));

      function next(): number {
        if (show !== undefined) return show + by;
        if (!known) return 0;
        if (!now || now.mark === known.mark) return known.place + by;
        // If it moved down, its lower neighbour has its old index; if it moved up, its upper one.
        const hasLeft = by === 1 ? now.place > known.place : now.place < known.place;
        return hasLeft ? known.place : known.place + by;
      }
    },
  };
}
