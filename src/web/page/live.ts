import { createParser } from "eventsource-parser";
import type { EventLine } from "../server/answers/log.ts";
import type { LiveNews } from "../server/stream.ts";
import { createStore } from "./store.ts";

/** What the page knows of the server and of the log's end. */
export interface Live {
  readonly state: "connecting" | "live" | "reconnecting" | "unknown_address";
  /** The position of the last event. */
  readonly head: number | undefined;
  /** When it was recorded. */
  readonly recordedAt: string | null;
  /** When the server was last heard of, and when it will be tried again: milliseconds since 1970. */
  readonly heardAt: number;
  readonly nextTryAt: number | undefined;
  /** The last events that came while the page was open, the last one last. */
  readonly lines: readonly EventLine[];
  /** True where the panel only shows. */
  readonly readOnly: boolean;
}

export const live = createStore<Live>({
  state: "connecting",
  head: undefined,
  recordedAt: null,
  heardAt: Date.now(),
  nextTryAt: undefined,
  lines: [],
  readOnly: false,
});

/** After so long without a word the server is taken for gone: it says something each 15 seconds. */
const SILENCE_MS = 35_000;
const RETRY_MS = 3_000;
const KEPT_LINES = 50;

/** Follows the log. Of all pages of one browser one has the stream, and tells the others: a browser has few connections. */
export function followLog(): void {
  let leading = false;
  channel.onmessage = ({ data }: MessageEvent<Live | "ask" | "try">) => {
    if (data === "try") wake?.();
    else if (data === "ask") {
      if (leading) channel.postMessage(live.get());
    } else if (data.state === "live" && live.get().state === "unknown_address") {
      // Another page opened what a later start printed, and its cookie is this page's, too.
      location.reload();
    } else live.set(data);
  };
  live.subscribe(() => {
    if (leading) channel.postMessage(live.get());
  });
  channel.postMessage("ask");
  void navigator.locks.request("signalbox-live", async () => {
    leading = true;
    await readWhileKnown();
    leading = false;
  });
}

const channel = new BroadcastChannel("signalbox-live");

/** Ends the wait for the next try, whichever page has the stream. */
export function tryNow(): void {
  wake?.();
  channel.postMessage("try");
}

let wake: (() => void) | undefined;

/** Ends where the server does not know this page: a later start has another token, and only opening what it prints helps. */
async function readWhileKnown(): Promise<void> {
  for (;;) {
    const isKnown = await readStream().catch(() => true);
    if (!isKnown) {
      live.set({ ...live.get(), state: "unknown_address", nextTryAt: undefined });
      return;
    }
    live.set({ ...live.get(), state: "reconnecting", nextTryAt: Date.now() + RETRY_MS });
    await new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, RETRY_MS);
    });
  }
}

/** @returns false if the server does not know this page */
async function readStream(): Promise<boolean> {
  const abort = new AbortController();
  const silence = watchSilence(() => abort.abort());
  try {
    const { head } = live.get();
    const response = await fetch(head === undefined ? "/api/stream" : `/api/stream?after=${head}`, {
      signal: abort.signal,
    });
    if (response.status === 401) return false;
    if (!response.ok || !response.body) return true;
    const parser = createParser({ onEvent: ({ event, data }) => take(event, JSON.parse(data)) });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      silence.heard();
      parser.feed(part.value);
    }
    return true;
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

function take(event: string | undefined, data: LiveNews | { readonly head: number }): void {
  const before = live.get();
  const heard = { ...before, state: "live" as const, heardAt: Date.now(), nextTryAt: undefined };
  if (event === "news" && "lines" in data) {
    const lines = [...before.lines, ...data.lines].slice(-KEPT_LINES);
    live.set({ ...heard, head: data.head, recordedAt: data.recorded_at, lines, readOnly: data.read_only });
  } else live.set(heard);
}
