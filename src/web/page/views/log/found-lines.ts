import { useInfiniteQuery } from "@tanstack/preact-query";
import { useEffect, useRef } from "preact/hooks";
import type { Answered } from "../../../server/answers/answer.ts";
import type { AnswerOf } from "../../../server/answers/index.ts";
import type { EventLine } from "../../../server/answers/log.ts";
import { askServer } from "../../answers.ts";
import { useLastComplete } from "../../last-complete.ts";
import { useSeveral } from "../../several.ts";
import type { LogFilter } from "./filter.ts";
import type { Lines } from "./lines.ts";

const PAGE = 200;

/**
 * The events that match a filter: backwards from the head at the time the filter was chosen, as far
 * as the reader scrolls, plus the matches since then.
 *
 * @param last the last position at the shown moment
 * @param seen the last position in the list
 * @param shown the visible indexes
 */
export function useFoundLines(
  enabled: boolean,
  asked: {
    readonly filter: LogFilter;
    readonly last: number;
    readonly seen: number;
    readonly shown: readonly [number, number];
    readonly at: number | undefined;
  },
): Lines {
  const { filter, last, seen, shown, at } = asked;
  const chosen = JSON.stringify([filter, at]);
  const began = useRef({ chosen, last });
  if (began.current.chosen !== chosen || began.current.last === 0) began.current = { chosen, last };
  const base = began.current.last;
  const older = useInfiniteQuery({
    queryKey: ["log_find", filter, at ?? base],
    queryFn: ({ pageParam, signal }) =>
      askServer("log_find", { ...filter, from: pageParam, after: undefined, limit: PAGE }, at, signal),
    initialPageParam: base,
    getNextPageParam: ({ answer }) => answer.next,
    enabled: enabled && base > 0,
  });
  const came = useNewerLines({ filter, at, after: base, to: enabled ? last : base, of: chosen });
  const lines = [
    ...came.filter(({ position }) => position <= seen),
    ...(older.data?.pages.flatMap(({ answer }) => answer.lines) ?? []),
  ];
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = older;
  const isWanted = enabled && hasNextPage && !isFetchingNextPage && shown[1] >= lines.length - AHEAD;
  useEffect(() => {
    if (isWanted) void fetchNextPage();
  }, [isWanted, fetchNextPage]);
  return {
    count: lines.length,
    positionAt: (index) => lines[index]?.position,
    lineAt: (index) => lines[index],
    unseen: came.filter(({ position }) => position > seen).length,
    searchedTo: hasNextPage ? (older.data?.pages.at(-1)?.answer.next ?? undefined) : undefined,
    isRead: older.data !== undefined && !hasNextPage,
    error: older.error instanceof Error ? older.error : undefined,
  };
}

/** Searches on when the visible rows are this close to the end of the list. */
const AHEAD = 50;

interface Newer {
  readonly filter: LogFilter;
  readonly at: number | undefined;
  /** Positions after `after`, up to `to`. */
  readonly after: number;
  readonly to: number;
  readonly of: string;
}

/** The matches among new events, the newest first. Only the last part is searched again. */
function useNewerLines({ filter, at, after, to, of }: Newer): readonly EventLine[] {
  const parts = Array.from({ length: Math.max(0, Math.ceil((to - after) / PART)) }, (_, nth) => ({
    after: after + nth * PART,
    from: Math.min(after + (nth + 1) * PART, to),
  }));
  const asked = useSeveral(
    parts.map((part) => ({
      queryKey: ["log_find", { ...filter, ...part }, at ?? "fixed"],
      queryFn: ({ signal }: { signal: AbortSignal }) => findAll({ ...filter, ...part }, at, signal),
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
  part: LogFilter & { readonly after: number; readonly from: number },
  at: number | undefined,
  signal: AbortSignal,
): Promise<EventLine[]> {
  const lines: EventLine[] = [];
  let from: number | null = part.from;
  while (from !== null) {
    const { answer }: Answered<AnswerOf<"log_find">> = await askServer(
      "log_find",
      { ...part, from, limit: LIMIT },
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
