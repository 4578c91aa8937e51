import { useQueries } from "@tanstack/preact-query";
import { askServer } from "../../answers.ts";
import type { Lines } from "./lines.ts";

const PAGE = 200;

/**
 * Every event, of which pages are asked for as they come into sight.
 *
 * @param seen the last position that the list shows
 * @param shown the indexes in sight
 */
export function useAllLines(
  enabled: boolean,
  {
    head,
    seen,
    shown,
  }: { readonly head: number; readonly seen: number; readonly shown: readonly [number, number] },
): Lines {
  const pages = enabled ? pagesOf(seen - shown[1], seen - shown[0]) : [];
  const asked = useQueries({
    queries: pages.map((page) => ({
      // Events never change: a page that is full stays as it is.
      queryKey: ["log", page, isFull(page, head) ? "full" : head],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        askServer("log", { after: page * PAGE, limit: PAGE }, undefined, signal),
    })),
  });
  const lines = new Map(asked.flatMap(({ data }) => data?.answer ?? []).map((line) => [line.position, line]));
  return {
    count: seen,
    positionAt: (index) => seen - index,
    lineAt: (index) => lines.get(seen - index),
    unseen: head - seen,
    lookedTo: undefined,
    isRead: true,
    error: undefined,
  };
}

/** The pages on which positions from one to another stand. */
function pagesOf(from: number, to: number): number[] {
  const first = Math.floor(Math.max(from - 1, 0) / PAGE);
  const last = Math.floor(Math.max(to - 1, 0) / PAGE);
  return Array.from({ length: last - first + 1 }, (_, nth) => first + nth);
}

function isFull(page: number, head: number): boolean {
  return (page + 1) * PAGE <= head;
}
