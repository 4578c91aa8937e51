import { createParser } from "eventsource-parser";
import type { Problem } from "../server/problem.ts";
import type { LiveNews } from "../server/stream.ts";
import { errorOf, RequestError } from "./request.ts";
import { createStore } from "./store.ts";

/** The state of the connection, and the end of the log. */
export interface Live {
  readonly state: "connecting" | "live" | "reconnecting" | "unknown_address";
  /** The position of the last event. */
  readonly head: number | undefined;
  /** Its leaf hash, which tells whether the log was replaced. */
  readonly leaf: string | null;
  /** When it was recorded. */
  readonly recordedAt: string | null;
  /** When the server last answered, and when to retry: milliseconds since 1970. */
  readonly heardAt: number;
  readonly nextTryAt: number | undefined;
  /** Why it is not live, in the server's words; undefined if it gave no reason. */
  readonly problem: string | undefined;
  /** With `unknown_address`: whether people log in here. */
  readonly canLogIn: boolean;
  /** Counts redactions: cached answers from before one may contain removed content. */
  readonly redactions: number;
  /** True with `--read-only`. */
  readonly readOnly: boolean;
}

export const live = createStore<Live>({
  state: "connecting",
  head: undefined,
  leaf: null,
  recordedAt: null,
  heardAt: Date.now(),
  nextTryAt: undefined,
  problem: undefined,
  canLogIn: false,
  redactions: 0,
  readOnly: false,
});

/** The timeout of the stream, which has a heartbeat every 15 seconds. */
const SILENCE_MS = 35_000;
const RETRY_MS = 3_000;

/** How often a follower checks that the leader is alive. */
const CHECK_MS = 5_000;
const LOCK = "signalbox-live";

/** Follows the log. One page of the browser, the leader, holds the stream and tells the others. */
export function followLog(): void {
  // Locks need a secure origin; without them each page has its own stream.
  if (navigator.locks === undefined) {
    void followUntilUnauthorized(new AbortController().signal);
    return;
  }
  channel.onmessage = ({ data }: MessageEvent<Live | "ask" | "try">) => {
    if (data === "try") wake?.();
    else if (leading) {
      if (data === "ask") channel.postMessage(live.get());
    } else if (data !== "ask") receiveFromLeader(data);
  };
  live.subscribe(() => {
    if (leading) channel.postMessage(live.get());
  });
  waitForTurn();
  setInterval(takeOverFromHung, CHECK_MS);
}

/** Aborts this page's stream; set while it is the leader. */
let leading: AbortController | undefined;
let waiting: AbortController | undefined;
/** When the leader last sent a message: milliseconds since 1970. */
let toldAt = Date.now();

function waitForTurn(): void {
  waiting = new AbortController();
  channel.postMessage("ask");
  lead({ signal: waiting.signal });
}

function lead(options: LockOptions): void {
  const reading = new AbortController();
  const stepDown = () => {
    reading.abort();
    if (leading !== reading) return false;
    leading = undefined;
    toldAt = Date.now();
    return true;
  };
  navigator.locks
    .request(LOCK, options, () => {
      leading = reading;
      return followUntilUnauthorized(reading.signal);
    })
    .then(stepDown, () => {
      // Another page took over while this one hung.
      if (stepDown()) waitForTurn();
    });
}

function receiveFromLeader(told: Live): void {
  toldAt = Date.now();
  // Another page opened the new address; its cookie works here, too.
  if (told.state === "live" && live.get().state === "unknown_address") location.reload();
  else live.set(told);
}

/** Replaces a leader that hangs, as in a debugger or when the browser froze it. */
function takeOverFromHung(): void {
  const before = live.get();
  if (leading || before.state === "unknown_address") return;
  // The leader sends fewer messages while the server is unreachable.
  const patience_ms = before.state === "reconnecting" ? 2 * SILENCE_MS : SILENCE_MS;
  if (Date.now() - toldAt < patience_ms) return;
  toldAt = Date.now();
  live.set({ ...before, state: "reconnecting", nextTryAt: undefined });
  waiting?.abort();
  lead({ steal: true });
}

const channel = new BroadcastChannel(LOCK);

/** Retries at once, whichever page is the leader. */
export function tryNow(): void {
  wake?.();
  channel.postMessage("try");
}

let wake: (() => void) | undefined;

/** Ends when the server rejects the cookie: after a restart a retry cannot help. */
async function followUntilUnauthorized(signal: AbortSignal): Promise<void> {
  for (;;) {
    const error = await readStream(signal).then(
      () => undefined,
      (thrown: unknown) => (thrown instanceof RequestError ? thrown : undefined),
    );
    if (signal.aborted) return;
    const before = { ...live.get(), problem: error?.message, canLogIn: error?.code === "login_needed" };
    if (error?.status === 401) {
      live.set({ ...before, state: "unknown_address", nextTryAt: undefined });
      return;
    }
    live.set({ ...before, state: "reconnecting", nextTryAt: Date.now() + RETRY_MS });
    await new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, RETRY_MS);
    });
  }
}

/** @throws RequestError: why the log cannot be followed */
async function readStream(signal: AbortSignal): Promise<void> {
  const abort = new AbortController();
  const silence = watchSilence(() => abort.abort());
  try {
    const { head, leaf } = live.get();
    const known = head === undefined ? "" : `?after=${head}${leaf === null ? "" : `&leaf=${leaf}`}`;
    const response = await fetch(`/api/stream${known}`, { signal: AbortSignal.any([signal, abort.signal]) });
    if (!response.ok || !response.body) throw await errorOf(response);
    const parser = createParser({ onEvent: ({ event, data }) => handleMessage(event, JSON.parse(data)) });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (signal.aborted) return;
      silence.heard();
      parser.feed(part.value);
    }
  } finally {
    silence.end();
  }
}

function watchSilence(onSilence: () => void) {
  let timer = setTimeout(onSilence, SILENCE_MS);
  return {
    heard() {
      clearTimeout(timer);
      timer = setTimeout(onSilence, SILENCE_MS);
    },
    end: () => clearTimeout(timer),
  };
}

function handleMessage(event: string | undefined, data: LiveNews | Problem["error"]): void {
  const before = live.get();
  const heard = {
    ...before,
    state: "live" as const,
    heardAt: Date.now(),
    nextTryAt: undefined,
    problem: undefined,
  };
  if ("message" in data) throw new RequestError(503, data.code, data.message);
  if (event === "news") {
    const { head, leaf, recorded_at: recordedAt, read_only: readOnly, redacted } = data;
    const redactions = before.redactions + (redacted ? 1 : 0);
    live.set({ ...heard, head, leaf, recordedAt, redactions, readOnly });
  } else live.set(heard);
}
