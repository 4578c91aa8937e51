import { useEffect, useRef, useState } from "preact/hooks";
import type { AnswerOf } from "../../../server/answers/index.ts";

type Answer = AnswerOf<"learnings">;

interface Place {
  readonly id: number;
  /** Among all that was found. */
  readonly place: number;
  readonly mark: Answer["rows"][number]["mark"];
}

/**
 * Where the chosen learning stands among all that was found, and steps from there, also to where the rows are not on the page
 * yet. One that is pinned or retired goes elsewhere, and the next step is to what stood beside it before.
 *
 * @returns `show`: the row to bring into sight: the chosen one at first, then the one that is stepped to; undefined where
 *   nobody has moved, who may have scrolled elsewhere
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
    // Unless a further step was taken meanwhile.
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
        // Where it went down, what stood below it is at its place now; where it went up, what stood above it.
        const hasLeft = by === 1 ? now.place > known.place : now.place < known.place;
        return hasLeft ? known.place : known.place + by;
      }
    },
  };
}
