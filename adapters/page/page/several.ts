import { hashKey, type QueryKey, QueryObserver } from "@tanstack/preact-query";
import { useEffect, useReducer, useRef } from "preact/hooks";
import type { AnswerName, QueryOf } from "../server/answers/index.ts";
import { queryClient, questionOf } from "./answers.ts";

/** A query and its cache key. */
export interface AskedQuery<Data> {
  readonly queryKey: QueryKey;
  /** How long the answer is kept that nothing shows any more, in milliseconds; absent: some minutes. */
  readonly gcTime?: number;
  queryFn(context: { readonly signal: AbortSignal }): Promise<Data>;
}

export interface Got<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  /** True until there is an answer or an error. */
  readonly isPending: boolean;
}

/** `useAnswer` for several queries, such as the visible pages of a list. */
export function useAnswers<Name extends AnswerName>(
  name: Name,
  queries: readonly QueryOf<Name>[],
  at: number | undefined,
) {
  return useSeveral(queries.map((query) => questionOf(name, query, at)));
}

/** The answers to several queries, in their order, each cached by itself. */
export function useSeveral<Data>(asked: readonly AskedQuery<Data>[]): readonly Got<Data>[] {
  const [, draw] = useReducer<number, void>((count) => count + 1, 0);
  const watched = useRef(new Map<string, () => void>());
  const keys = asked.map(({ queryKey }) => hashKey(queryKey));
  useEffect(() => {
    const stops = watched.current;
    for (const [nth, key] of keys.entries()) {
      const one = asked[nth];
      if (one && !stops.has(key))
        stops.set(
          key,
          new QueryObserver(queryClient, one).subscribe(() => draw()),
        );
    }
    for (const [key, stop] of stops) {
      if (keys.includes(key)) continue;
      stop();
      stops.delete(key);
    }
  }, [keys.join("\n")]);
  useEffect(
    () => () => {
      for (const stop of watched.current.values()) stop();
    },
    [],
  );
  return asked.map(({ queryKey }) => {
    const state = queryClient.getQueryState<Data>(queryKey);
    return {
      data: state?.data,
      error: state?.error ?? null,
      isPending: (state?.status ?? "pending") === "pending",
    };
  });
}
