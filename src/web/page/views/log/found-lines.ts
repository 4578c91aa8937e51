import { useInfiniteQuery } from "@tanstack/preact-query";
import { useEffect, useRef } from "preact/hooks";
import { askServer, useAnswer } from "../../answers.ts";
import type { LogFilter } from "./filter.ts";
import type { Lines } from "./lines.ts";

const PAGE = 200;

/**
 * The events that a filter lets through, which the server looks for: back from the head as it was when the filter was chosen,
 * as far as is scrolled, and what has come since.
 *
 * @param seen the last position that the list shows
 * @param shown the indexes in sight
 */
export function useFoundLines(
  enabled: boolean,
  asked: {
    readonly filter: LogFilter;
    readonly head: number;
    readonly seen: number;
    readonly shown: readonly [number, number];
    readonly at: number | undefined;
  },
): Lines {
  const { filter, head, seen, shown, at } = asked;
  const chosen = JSON.stringify([filter, at]);
  const began = useRef({ chosen, head });
  if (began.current.chosen !== chosen || began.current.head === 0) began.current = { chosen, head };
  const base = began.current.head;
  const older = useInfiniteQuery({
    queryKey: ["log-find", filter, at ?? base],
    queryFn: ({ pageParam, signal }) =>
      askServer("log-find", { ...filter, from: pageParam, after: undefined, limit: PAGE }, at, signal),
    initialPageParam: base,
    getNextPageParam: ({ answer }) => answer.next,
    enabled: enabled && base > 0,
  });
  const newer = useAnswer(
    "log-find",
    { ...filter, from: head, after: base, limit: NEWER },
    { enabled: enabled && head > base },
  );
  const came = head > base ? (newer.answer?.lines ?? []).filter(({ position }) => position > base) : [];
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
    lookedTo: hasNextPage ? (older.data?.pages.at(-1)?.answer.next ?? undefined) : undefined,
    isRead: older.data !== undefined && !hasNextPage,
    error: older.error instanceof Error ? older.error : undefined,
  };
}

const NEWER = 500;
/** So many rows before the end of the list the server is asked to look on. */
const AHEAD = 50;
