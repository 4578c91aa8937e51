import { useCallback } from "preact/hooks";
import { askServer, PASSING_MS } from "../../answers.ts";
import { useLastComplete } from "../../last-complete.ts";
import { useSeveral } from "../../several.ts";
import type { Order } from "./filter.ts";
import type { Lines } from "./lines.ts";

const PAGE = 200;

/**
 * All events, loaded in pages as they become visible. Old lines stay until the new ones are complete.
 *
 * @param last the last position at the shown moment
 * @param seen the last position in the list
 * @param shown the visible indexes
 */
export function useAllLines(
  enabled: boolean,
  {
    last,
    seen,
    shown,
    order,
  }: {
    readonly last: number;
    readonly seen: number;
    readonly shown: readonly [number, number];
    readonly order: Order;
  },
): Lines {
  const isNewest = order === "newest_first";
  const pages = !enabled
    ? []
    : isNewest
      ? pagesOf(seen - shown[1], seen - shown[0])
      : pagesOf(shown[0] + 1, Math.min(shown[1] + 1, seen));
  const asked = useSeveral(
    pages.map((page) => ({
      // Only a redaction changes events, so a full page is not asked for again.
      queryKey: ["log", page, isFull(page, last) ? "full" : last],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        askServer("log", { after: page * PAGE, limit: PAGE }, undefined, signal),
      gcTime: isFull(page, last) ? KEPT_MS : PASSING_MS,
    })),
  );
  const lines = new Map(asked.flatMap(({ data }) => data?.answer ?? []).map((line) => [line.position, line]));
  const isWhole = enabled && asked.every(({ data }) => data !== undefined);
  const whole = useLastComplete("", isWhole, { seen, lines });
  const end = whole?.seen ?? seen;
  const positionAt = useCallback((index: number) => (isNewest ? end - index : index + 1), [isNewest, end]);
  return {
    count: end,
    positionAt,
    lineAt: (index) => lines.get(positionAt(index)) ?? whole?.lines.get(positionAt(index)),
    unseen: last - seen,
    searchedTo: undefined,
    isRead: true,
    error: undefined,
  };
}

/** A reader who scrolls back finds the lines there; while events come, those that pass do not pile up. */
const KEPT_MS = 10_000;

/** The pages of a range of positions. */
function pagesOf(from: number, to: number): number[] {
  const first = Math.floor(Math.max(from - 1, 0) / PAGE);
  const last = Math.floor(Math.max(to - 1, 0) / PAGE);
  return Array.from({ length: last - first + 1 }, (_, nth) => first + nth);
}

function isFull(page: number, last: number): boolean {
  return (page + 1) * PAGE <= last;
}
