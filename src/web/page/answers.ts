import { keepPreviousData, QueryClient, useQuery } from "@tanstack/preact-query";
import type { Answered } from "../server/answers/answer.ts";
import type { AnswerName, AnswerOf, QueryOf } from "../server/answers/index.ts";
import { useAddress } from "./address.ts";
import { live } from "./live.ts";
import { RequestError, request } from "./request.ts";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The stream says when something has changed.
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      // What the server refuses, it refuses again; whether it is there, the stream finds out.
      retry: false,
    },
  },
});

/** What the server answers, as of the position in the address; of the present it is asked again when the log goes on. */
export function useAnswer<Name extends AnswerName>(
  name: Name,
  query: QueryOf<Name>,
  options: { readonly enabled?: boolean; readonly at?: number | undefined } = {},
) {
  const { at: inAddress } = useAddress();
  const at = "at" in options ? options.at : inAddress;
  const asked = useQuery({
    queryKey: [name, query, at],
    queryFn: ({ signal }) => askServer(name, query, at, signal),
    // The old picture stays until the new one is there; of something else it would be wrong.
    placeholderData: keepPreviousData,
    enabled: options.enabled ?? true,
  });
  return {
    answer: asked.data?.answer,
    /** The position of the last event that the answer knows. */
    position: asked.data?.position,
    error: asked.error instanceof Error ? asked.error : undefined,
    /** True while what is shown is of an earlier question. */
    isOld: asked.isPlaceholderData,
    isLoading: asked.isPending,
  };
}

export function askServer<Name extends AnswerName>(
  name: Name,
  query: QueryOf<Name>,
  at?: number,
  signal?: AbortSignal,
): Promise<Answered<AnswerOf<Name>>> {
  const given = Object.entries({ ...query, at }).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)]));
  return request(`/api/${name}?${search}`, signal ? { signal } : {});
}

/** Asks for the present again, soon: many events together are one change. */
export function refreshPresent(): void {
  if (refreshing !== undefined) return;
  refreshing = setTimeout(() => {
    refreshing = undefined;
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[2] === undefined });
  }, REFRESH_MS);
}

let refreshing: ReturnType<typeof setTimeout> | undefined;
const REFRESH_MS = 150;

export function isUnknownAddress(error: Error | undefined): boolean {
  return error instanceof RequestError && error.status === 401;
}

let shown = live.get().head;
live.subscribe(() => {
  const { head } = live.get();
  if (head === shown) return;
  shown = head;
  refreshPresent();
});
