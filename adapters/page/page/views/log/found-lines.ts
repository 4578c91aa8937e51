import { useInfiniteQuery } from "@tanstack/preact-query";
import { useEffect, useRef } from "preact/hooks";
import type { Answered } from "../../../server/answers/answer.ts";
import type { AnswerOf } from "../../../server/answers/index.ts";
import type { EventLine } from "../../../server/answers/log.ts";
import { askServer, PASSING_MS } from "../../answers.ts";
import { useLastComplete } from "../../last-complete.ts";
import { useSeveral } from "../../several.ts";
import type { Order, Wanted } from "./filter.ts";
import type { Lines } from "./lines.ts";
import type { Range } from "./use-range.ts";

const PAGE = 200;

/**
 * The events of a range that match a filter: from one end of it to the other, as it was when the filter
 * was chosen, as far as the reader scrolls, plus the matches since then.
 *
 * @param last the last position at the shown moment
 * @param seen the last position in the list
 * @param shown the visible indexes
 */
export function useFoundLines(
  enabled: boolean,
  asked: {
    readonly wanted: Wanted;
    readonly order: Order;
    readonly range: Range;
    readonly last: number;
    readonly seen: number;
    readonly shown: readonly [number, number];
    readonly at: number | undefined;
  },
): Lines {
  const { wanted, order, range, seen, shown, at } = asked;
  const isNewest = order === "newest_first";
  const least = range.from - 1;
  const last = Math.min(asked.last, range.to);
  const chosen = JSON.stringify([wanted, order, least, at]);
  const began = useRef({ chosen, last });
  if (!enabled || began.current.chosen !== chosen || began.current.last === 0)
    began.current = { chosen, last };
  const base = began.current.last;
  const older = useInfiniteQuery({
    queryKey: ["log_find", { ...wanted, order, least }, at ?? base],
    queryFn: ({ pageParam, signal }) =>
      askServer(
        "log_find",
        isNewest
          ? { ...wanted, order, from: pageParam, after: least, limit: PAGE }
          : { ...wanted, order, from: base, after: pageParam, limit: PAGE },
        at,
        signal,
      ),
    initialPageParam: isNewest ? base : least,
    getNextPageParam: ({ answer }) => answer.next,
    enabled: enabled && base > least,
  });
  const came = useNewerLines({
    wanted,
    at,
    after: Math.max(base, least),
    to: enabled ? last : base,
    of: chosen,
  });
  const read = older.data?.pages.flatMap(({ answer }) => answer.lines) ?? [];
  const lines = isNewest
    ? [...came.filter(({ position }) => position <= seen), ...read]
    : [...read, ...(older.hasNextPage ? [] : came.toReversed())];
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = older;
  const isWanted = enabled && hasNextPage && !isFetchingNextPage && shown[1] >= lines.length - AHEAD;
  useEffect(() => {
    if (isWanted) void fetchNextPage();
  }, [isWanted, fetchNextPage]);
  return {
    count: lines.length,
    positionAt: (index) => lines[index]?.position,
    lineAt: (index) => lines[index],
    unseen: !isNewest ? 0 : came.filter(({ position }) => position > seen).length,
    searchedTo: hasNextPage ? (older.data?.pages.at(-1)?.answer.next ?? undefined) : undefined,
    isRead: enabled && (base <= least || (older.data !== undefined && !hasNextPage)),
    error: older.error instanceof Error ? older.error : undefined,
  };
}

/** Searches on when the visible rows are this close to the end of the list. */
const AHEAD = 50;

interface Newer {
  readonly wanted: Wanted;
  readonly at: number | undefined;
  /** Positions after `after`, up to `to`. */
  readonly after: number;
  readonly to: number;
  readonly of: string;
}

/** The matches among new events, the newest first. Only the last part is searched again. */
function useNewerLines({ wanted, at, after, to, of }: Newer): readonly EventLine[] {
  const parts = Array.from({ length: Math.max(0, Math.ceil((to - after) / PART)) }, (_, nth) => ({
    after: after + nth * PART,
    from: Math.min(after + (nth + 1) * PART, to),
  }));
  const asked = useSeveral(
    parts.map((part) => ({
      queryKey: ["log_find", { ...wanted, ...part }, at ?? "fixed"],
      queryFn: ({ signal }: { signal: AbortSignal }) => findAll({ ...wanted, ...part }, at, signal),
      gcTime: PASSING_MS,
    })),
  );
  const lines = asked.flatMap(({ data }) => data ?? []).sort((one, other) => other.position - one.position);
  const isWhole = asked.every(({ data }) => data !== undefined);
  return useLastComplete(of, isWhole, lines) ?? lines;
}

/** In positions. */
const PART = 2_000;

/** Follows the pages of a search to the end. */
async function findAll(
  part: Wanted & { readonly after: number; readonly from: number },
  at: number | undefined,
  signal: AbortSignal,
): Promise<EventLine[]> {
  const lines: EventLine[] = [];
  let from: number | null = part.from;
  while (from !== null) {
    const { answer }: Answered<AnswerOf<"log_find">> = await askServer(
      "log_find",
      { ...part, order: undefined, from, limit: LIMIT },
      at,
      signal,
    );
    lines.push(...answer.lines);
    from = answer.next;
  }
  return lines;
}

/** The server's limit. */
const LIMIT = 500;
