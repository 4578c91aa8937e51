import { keepPreviousData, type Query, QueryClient, useQuery } from "@tanstack/preact-query";
import type { Answered, Reading } from "../server/answers/answer.ts";
import type { AnswerName, AnswerOf, QueryOf } from "../server/answers/index.ts";
import { useAddress } from "./address.ts";
import { live } from "./live.ts";
import { AwayError, request } from "./request.ts";
import { createStore } from "./store.ts";

/** That the server is still reading the log up to the moment that was asked for. */
class StillReading extends Error {}

/** How far the server has read the log for the moment that is shown; undefined while nothing waits for that. */
export const reading = createStore<Reading["reading"] | undefined>(undefined);

const READING_MS = 250;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The stream says when something has changed.
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      // What the server refuses, it refuses again; whether it is there, the stream finds out.
      retry: (_count, error) => error instanceof StillReading,
      retryDelay: READING_MS,
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
    ...questionOf(name, query, at),
    // The old picture stays until the new one is there; of something else it would be wrong.
    placeholderData: keepPreviousData,
    enabled: options.enabled ?? true,
  });
  return {
    answer: asked.data?.answer,
    /** The position of the last event that the answer knows. */
    position: asked.data?.position,
    error: errorOf(asked),
    /** True while what is shown is of an earlier question. */
    isOld: asked.isPlaceholderData,
    isLoading: asked.isPending,
  };
}

/** A question and the key under which its answer is kept. */
export function questionOf<Name extends AnswerName>(
  name: Name,
  query: QueryOf<Name>,
  at: number | undefined,
) {
  return {
    queryKey: [name, query, at],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => askServer(name, query, at, signal),
  };
}

/** While the server is away, what was there stays readable; the banner says the rest. */
function errorOf({ data, error }: { readonly data: unknown; readonly error: unknown }): Error | undefined {
  if (error instanceof AwayError && data !== undefined) return undefined;
  return error instanceof Error ? error : undefined;
}

/**
 * @param at beyond the end of the log means its end
 * @throws RequestError; StillReading: asked again in a moment, it is nearer
 */
export async function askServer<Name extends AnswerName>(
  name: Name,
  query: QueryOf<Name>,
  at?: number,
  signal?: AbortSignal,
): Promise<Answered<AnswerOf<Name>>> {
  const given = Object.entries({ ...query, at }).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)]));
  if (at !== undefined) search.set("nearest", "1");
  const answered = await request<Answered<AnswerOf<Name>> | Reading>(
    `/api/${name}?${search}`,
    signal ? { signal } : {},
  );
  if ("reading" in answered) {
    reading.set(answered.reading);
    throw new StillReading();
  }
  if (at !== undefined) reading.set(undefined);
  return answered;
}

/** What the server says of the log once and for all: it is asked once, whatever comes later but a redaction. */
export function useFixed<Name extends AnswerName>(name: Name, query: QueryOf<Name>, isEnabled = true) {
  const asked = useQuery({
    queryKey: [name, query, "fixed"],
    queryFn: ({ signal }) => askServer(name, query, undefined, signal),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  });
  return { answer: asked.data?.answer, isOld: asked.isPlaceholderData };
}

/** Asks for the present again, at once: this page has done something. @param position of the event; what its news had asked again is not asked twice */
export function refreshPresent(position?: number): void {
  void queryClient.invalidateQueries({
    predicate: (query) => isOfPresent(query) && !(position && (askedAt.get(query) ?? 0) >= position),
  });
}

/** The same where the log goes on: many events together are one change, and what takes the server long is asked less often. */
function refreshSoon(): void {
  if (refreshing !== undefined) return;
  refreshing = setTimeout(() => {
    refreshing = undefined;
    const now = Date.now();
    const { head } = live.get();
    const due = new Set<Query>();
    let isEarly = false;
    for (const query of queryClient.getQueryCache().findAll({ predicate: isOfPresent })) {
      const data = query.state.data as Answered<unknown> | undefined;
      if (data?.position === head || askedAt.get(query) === head) continue;
      const rest_ms = Math.min((data?.took_ms ?? 0) * REST, LONGEST_REST_MS);
      // An answer that is on its way may be older than the event, but asking again would take it away, and the next one too.
      const isOnItsWay = query.state.fetchStatus !== "idle";
      if (isOnItsWay || now < query.state.dataUpdatedAt + rest_ms) isEarly = true;
      else {
        due.add(query);
        askedAt.set(query, head);
      }
    }
    void queryClient.invalidateQueries({ predicate: (query) => due.has(query) });
    if (isEarly) refreshSoon();
  }, REFRESH_MS);
}

function isOfPresent({ queryKey }: Query): boolean {
  return queryKey[2] === undefined;
}

/**
 * The head at which a question was last asked again. Where the answer has that event nothing is asked; where it comes from before it, or none comes, the
 * question waits for the next event.
 */
const askedAt = new WeakMap<Query, number | undefined>();
let refreshing: ReturnType<typeof setTimeout> | undefined;
const REFRESH_MS = 150;
/** After an answer the server rests from it for so many times as long as it took, but never longer than that. */
const REST = 10;
const LONGEST_REST_MS = 10_000;

/**
 * What was redacted stays nowhere: all that was read is asked for anew. The present is put in the place of what is shown; what
 * may take long to come, or does not come, is gone until then.
 */
async function forget(): Promise<void> {
  queryClient.removeQueries({ type: "inactive" });
  await queryClient.cancelQueries();
  void queryClient.resetQueries({ predicate: (query) => !isOfPresent(query) });
  await queryClient.refetchQueries({ predicate: isOfPresent, type: "active" });
  await queryClient.resetQueries({ predicate: ({ state }) => state.status === "error" });
}

let shown = live.get().head;
let wasAway = false;
let redactions = live.get().redactions;
live.subscribe(() => {
  const { head, state, redactions: told } = live.get();
  if (told !== redactions) {
    redactions = told;
    void forget();
  }
  if (state === "live") {
    const hasComeBack = wasAway;
    // Each word of the server says that it is there, so that what did not reach it can be asked again.
    void queryClient.refetchQueries({
      type: "active",
      predicate: ({ state: { error, fetchStatus } }) => {
        const isOnItsWay = fetchStatus !== "idle";
        // What was asked before the server went away may never be answered.
        return hasComeBack ? isOnItsWay || error !== null : !isOnItsWay && error instanceof AwayError;
      },
    });
  }
  wasAway = state === "reconnecting";
  if (head === shown) return;
  shown = head;
  refreshSoon();
});
