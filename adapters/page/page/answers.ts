import { keepPreviousData, type Query, QueryClient, useQuery } from "@tanstack/preact-query";
import type { Answered, Reading } from "../server/answers/answer.ts";
import type { AnswerName, AnswerOf, QueryOf } from "../server/answers/index.ts";
import { useAddress } from "./address.ts";
import { live } from "./live.ts";
import { AwayError, request } from "./request.ts";
import { createStore, useStore } from "./store.ts";

/** The server is still reading the log up to the requested position. */
class StillReading extends Error {}

/** How far the server has read the log for the shown position; undefined when it is done. */
export const reading = createStore<Reading["reading"] | undefined>(undefined);

const READING_MS = 250;

/**
 * How long an answer is kept that nothing shows any more, where new events bring ever new queries: with the usual
 * minutes they would pile up. In milliseconds.
 */
export const PASSING_MS = 1_000;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The stream reports changes.
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      // A refused query would be refused again; the stream detects an unreachable server.
      retry: (_count, error) => error instanceof StillReading,
      retryDelay: READING_MS,
    },
  },
});

/** The answer at the position in the address; in the present it follows the log. */
export function useAnswer<Name extends AnswerName>(
  name: Name,
  query: QueryOf<Name>,
  options: {
    readonly enabled?: boolean;
    readonly at?: number | undefined;
    /**
     * For an answer that changes without an event: in the present, asks again after so many milliseconds, while the
     * page is visible and its address is one that the server knows.
     */
    readonly every_ms?: number;
    /** Whether new events bring ever new queries; see PASSING_MS. */
    readonly isPassing?: boolean;
  } = {},
) {
  const { at: inAddress } = useAddress();
  const at = "at" in options ? options.at : inAddress;
  const isKnown = useStore(live, ({ state }) => state !== "unknown_address");
  const asked = useQuery({
    ...questionOf(name, query, at),
    // Show the previous answer until the new one arrives.
    placeholderData: keepPreviousData,
    enabled: options.enabled ?? true,
    refetchInterval: at === undefined && isKnown ? (options.every_ms ?? false) : false,
    ...(options.isPassing && { gcTime: PASSING_MS }),
  });
  return {
    answer: asked.data?.answer,
    /** The position that the answer is of. */
    position: asked.data?.position,
    error: errorOf(asked),
    /** True while the previous query's answer is shown. */
    isOld: asked.isPlaceholderData,
    isLoading: asked.isPending,
  };
}

/** A query and its cache key. */
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

/** While the server is unreachable the cached answer stays; the banner shows the error. */
function errorOf({ data, error }: { readonly data: unknown; readonly error: unknown }): Error | undefined {
  if (error instanceof AwayError && data !== undefined) return undefined;
  return error instanceof Error ? error : undefined;
}

/**
 * @param at beyond the end of the log means its end
 * @throws RequestError; StillReading: retry in a moment
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

/** An answer that later events cannot change: while it is shown, it is fetched again only after a redaction. */
export function useFixed<Name extends AnswerName>(name: Name, query: QueryOf<Name>, isEnabled = true) {
  const asked = useQuery({
    queryKey: [name, query, "fixed"],
    queryFn: ({ signal }) => askServer(name, query, undefined, signal),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
    gcTime: PASSING_MS,
  });
  return { answer: asked.data?.answer, error: errorOf(asked), isOld: asked.isPlaceholderData };
}

/**
 * Refetches the present at once, after an action of this page.
 *
 * @param position of its event; queries refetched since then are skipped
 */
export function refreshPresent(position?: number): void {
  void queryClient.invalidateQueries({
    predicate: (query) => isOfPresent(query) && !(position && (askedAt.get(query) ?? 0) >= position),
  });
}

/** Refetches the present after new events: batches them, and asks slow queries less often. */
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
      // A running query may miss the event, but restarting it at each event would never let it finish.
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
 * The head at which a query was last refetched, so that it is refetched once per event.
 */
const askedAt = new WeakMap<Query, number | undefined>();
let refreshing: ReturnType<typeof setTimeout> | undefined;
const REFRESH_MS = 150;
/** After an answer, the query pauses for this multiple of the time it took, up to the limit below. */
const REST = 10;
const LONGEST_REST_MS = 10_000;

/**
 * Drops all cached answers after a redaction. Answers of the present stay visible until they are
 * replaced; the others are cleared at once.
 */
async function dropCache(): Promise<void> {
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
    void dropCache();
  }
  if (state === "live") {
    const hasComeBack = wasAway;
    // The server is reachable, so retry the queries that could not reach it.
    void queryClient.refetchQueries({
      type: "active",
      predicate: ({ state: { error, fetchStatus } }) => {
        const isOnItsWay = fetchStatus !== "idle";
        // Queries from before the connection was lost may never be answered.
        return hasComeBack ? isOnItsWay || error !== null : !isOnItsWay && error instanceof AwayError;
      },
    });
  }
  wasAway = state === "reconnecting";
  if (head === shown) return;
  shown = head;
  refreshSoon();
});
