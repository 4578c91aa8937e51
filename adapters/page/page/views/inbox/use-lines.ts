import { useRef, useState } from "preact/hooks";
import type { InboxLine } from "../../../server/answers/inbox.ts";
import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { handling, isUnhandled } from "../../parts/inbox-item/handling.ts";
import { type Kind, keyOf } from "../../parts/inbox-item/kinds.tsx";
import { useAnswers } from "../../several.ts";
import { useStore } from "../../store.ts";
import { groupsOf } from "./groups.ts";

/** Lines per request. */
const PAGE = 100;

/**
 * The inbox lines by index; undefined until loaded. Loads the visible pages and those around the
 * selected item.
 */
export function useLines(selected: string | undefined, kind: Kind | undefined) {
  const { at } = useAddress();
  const state = useStore(handling);
  const [shown, setShown] = useState({ first: 0, last: 0 });
  const lastPlace = useRef(0);
  const of = kind && { kind };
  const { answer, position, error, isOld } = useAnswer("inbox", { row: 0, limit: PAGE, ...of });
  const total = answer?.total ?? 0;
  const wanted = [shown.first, shown.last, lastPlace.current - 1, lastPlace.current + 1];
  const pages = [...new Set(wanted.map((place) => Math.floor(place / PAGE)))].filter(
    (page) => page > 0 && page * PAGE < total,
  );
  const asked = useAnswers(
    "inbox",
    pages.map((page) => ({ row: page * PAGE, limit: PAGE, ...of })),
    at,
  );
  const lines: (InboxLine | undefined)[] = Array.from({ length: total });
  const leaving = new Set<number>();
  const seen = new Set<string>();
  for (const [nth, page] of [{ answer, position }, ...asked.map(({ data }) => data)].entries()) {
    const after = nth === 0 ? 0 : (pages[nth - 1] ?? 0) * PAGE;
    for (const [row, line] of (page?.answer?.lines ?? []).entries()) {
      const key = keyOf(line);
      // Two pages loaded at different times may both contain a line.
      if (after + row >= total || seen.has(key)) continue;
      seen.add(key);
      lines[after + row] = line;
      if (at === undefined && !isUnhandled(line, state, page?.position ?? 0)) leaving.add(after + row);
    }
  }
  const there = leaving.size === 0 ? lines : lines.filter((_, place) => !leaving.has(place));
  const left = [...leaving].map((place) => lines[place]?.kind);
  const counts = answer?.kinds.map((one) => ({
    ...one,
    items: one.items - left.filter((gone) => gone === one.kind).length,
  }));
  const place = there.findIndex((line) => line && keyOf(line) === selected);
  if (place >= 0) lastPlace.current = place;
  return {
    answer,
    error,
    /** True while the lines are those of the previous filter or position. */
    isOld,
    lines: there,
    /** The listed kinds, each with its number of lines. */
    groups: groupsOf(counts?.filter((one) => kind === undefined || one.kind === kind) ?? []),
    /** The index of the selected item, -1 if unknown; and its last known index. */
    place,
    lastPlace: lastPlace.current,
    onWindow: (first: number, last: number) => setShown({ first, last }),
  };
}
