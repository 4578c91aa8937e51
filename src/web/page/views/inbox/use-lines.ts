import { useRef, useState } from "preact/hooks";
import type { InboxLine } from "../../../server/answers/inbox.ts";
import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { useAnswers } from "../../several.ts";
import { useStore } from "../../store.ts";
import { handling, isStillThere } from "./handling.ts";
import { keyOf } from "./kinds.tsx";

/** So many lines are asked for at once. */
const PAGE = 100;

/**
 * What waits, each line by its place; one that is not there yet is undefined. Pages are asked for as their rows come into
 * sight, and those about the selected item, from which somebody goes on.
 */
export function useLines(selected: string | undefined) {
  const { at } = useAddress();
  const state = useStore(handling);
  const [shown, setShown] = useState({ first: 0, last: 0 });
  const lastPlace = useRef(0);
  const { answer, position, error } = useAnswer("inbox", { row: 0, limit: PAGE });
  const total = answer?.total ?? 0;
  const wanted = [shown.first, shown.last, lastPlace.current - 1, lastPlace.current + 1];
  const pages = [...new Set(wanted.map((place) => Math.floor(place / PAGE)))].filter(
    (page) => page > 0 && page * PAGE < total,
  );
  const asked = useAnswers(
    "inbox",
    pages.map((page) => ({ row: page * PAGE, limit: PAGE })),
    at,
  );
  const lines: (InboxLine | undefined)[] = Array.from({ length: total });
  const leaving = new Set<number>();
  const seen = new Set<string>();
  for (const [nth, page] of [{ answer, position }, ...asked.map(({ data }) => data)].entries()) {
    const after = nth === 0 ? 0 : (pages[nth - 1] ?? 0) * PAGE;
    for (const [row, line] of (page?.answer?.lines ?? []).entries()) {
      const key = keyOf(line);
      // Pages that were answered at different moments may both have a line.
      if (after + row >= total || seen.has(key)) continue;
      seen.add(key);
      lines[after + row] = line;
      if (at === undefined && !isStillThere(line, state, page?.position ?? 0)) leaving.add(after + row);
    }
  }
  const there = leaving.size === 0 ? lines : lines.filter((_, place) => !leaving.has(place));
  const place = there.findIndex((line) => line && keyOf(line) === selected);
  if (place >= 0) lastPlace.current = place;
  return {
    answer,
    error,
    lines: there,
    /** Where the selected item is, -1 where that is not known, and where it was when that was known last. */
    place,
    lastPlace: lastPlace.current,
    onWindow: (first: number, last: number) => setShown({ first, last }),
  };
}
