import { useEffect, useRef, useState } from "preact/hooks";
import type { AnswerOf } from "../../../../server/answers/index.ts";
import { askServer } from "../../../answers.ts";
import { live } from "../../../live.ts";
import { AwayError } from "../../../request.ts";
import { useStore } from "../../../store.ts";

type Page = NonNullable<AnswerOf<"session_output">["page"]>;
export type OutputEntry = Page["entries"][number];

/** The loaded part of a session's output. */
export interface Output {
  readonly entries: readonly OutputEntry[];
  /** In bytes: where the loaded part begins. */
  readonly start: number;
  /** True if the end of the output is loaded. */
  readonly isEnd: boolean;
  /** Of the whole output, in bytes. */
  readonly size: number;
  /** Why there is no output; undefined: there is, or it is not loaded yet. */
  readonly missing: AnswerOf<"session_output">["missing"] | undefined;
  readonly isRead: boolean;
}

interface Loaded extends Output {
  readonly end: number;
}

/**
 * A part of a session's output that grows at both ends: at its end by itself while the session runs,
 * otherwise on demand.
 *
 * @param origin where to begin, in bytes; undefined: at the end
 * @param isTail whether the reader is at the end, so that the beginning can be dropped
 */
export function useOutput(
  session: string,
  { isRunning, origin, isTail }: { isRunning: boolean; origin: number | undefined; isTail: () => boolean },
) {
  const [output, setOutput] = useState<Loaded>(NOTHING);
  const [error, setError] = useState<Error>();
  const redactions = useStore(live, (now) => now.redactions);
  // The requests of one reading; those of an earlier one are aborted.
  const reading = useRef<Reading | undefined>(undefined);
  const running = useRef(isRunning);
  running.current = isRunning;
  useEffect(() => {
    const abort = new AbortController();
    const now: Reading = { loaded: NOTHING, isBusy: false };
    reading.current = now;
    setOutput(NOTHING);
    setError(undefined);
    const step = async (wish: Wish) => {
      if (now.isBusy) return;
      now.isBusy = true;
      const isOver = !running.current;
      try {
        const { answer } = await askServer("session_output", { session, ...wish }, undefined, abort.signal);
        if (abort.signal.aborted) return;
        now.loaded = withPage(now.loaded, answer, wish, isTail());
        setOutput(now.loaded);
        setError(undefined);
        // Its last lines came, if this read its end.
        now.isOver = isOver && now.loaded.isEnd;
      } catch (thrown) {
        // The banner says that the server is away; the next step tries again.
        if (abort.signal.aborted || thrown instanceof AwayError || !(thrown instanceof Error)) return;
        setError(thrown);
      } finally {
        now.isBusy = false;
      }
    };
    now.step = step;
    const begin = async () => {
      if (origin === undefined) return step(wishOf({}));
      await step(wishOf({ from: origin }));
      if (!abort.signal.aborted) await step(wishOf({ before: now.loaded.start }));
    };
    void begin();
    const timer = setInterval(() => {
      if (document.visibilityState === "hidden") return;
      if (!now.loaded.isRead) void begin();
      else if (!now.isOver && (now.loaded.isEnd || isTail())) void step(wishOf({ from: now.loaded.end }));
    }, EVERY_MS);
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, [session, origin, redactions]);
  return {
    output,
    error,
    loadOlder() {
      const now = reading.current;
      if (now?.loaded.isRead && now.loaded.start > 0) void now.step?.(wishOf({ before: now.loaded.start }));
    },
    loadNewer() {
      const now = reading.current;
      if (now?.loaded.isRead && !now.loaded.isEnd) void now.step?.(wishOf({ from: now.loaded.end }));
    },
  };
}

interface Reading {
  loaded: Loaded;
  isBusy: boolean;
  /** The whole output of an ended session was read. */
  isOver?: boolean;
  step?: (wish: Wish) => Promise<void>;
}

interface Wish {
  readonly from: number | undefined;
  readonly before: number | undefined;
  readonly limit: number;
}

const wishOf = ({ from, before }: { from?: number; before?: number }): Wish => ({
  from,
  before,
  limit: LINES,
});

const NOTHING: Loaded = {
  entries: [],
  start: 0,
  end: 0,
  isEnd: false,
  size: 0,
  missing: undefined,
  isRead: false,
};

function withPage(
  loaded: Loaded,
  { page, missing }: AnswerOf<"session_output">,
  { from, before }: Wish,
  isTail: boolean,
): Loaded {
  if (!page) return { ...NOTHING, missing, isRead: missing !== "not_begun" };
  const rest = { missing: undefined, isRead: true };
  if (loaded.isRead && before !== undefined && page.end === loaded.start)
    return { ...loaded, start: page.start, entries: [...page.entries, ...loaded.entries], size: page.size };
  // Another start: the file was replaced.
  if (!loaded.isRead || from === undefined || page.start !== loaded.end) return { ...page, ...rest };
  const all = page.entries.length === 0 ? loaded.entries : [...loaded.entries, ...page.entries];
  const entries = isTail && all.length > KEPT ? fromLineOn(all, all.length - KEPT) : all;
  const start = entries === all ? loaded.start : (entries[0]?.at ?? loaded.start);
  return { ...loaded, ...rest, entries, start, end: page.end, isEnd: page.isEnd, size: page.size };
}

/** The entries from the first one of a line on. */
function fromLineOn(entries: readonly OutputEntry[], nth: number): readonly OutputEntry[] {
  const first = entries.findIndex((entry, index) => index >= nth && entry.nth === 0);
  return first < 0 ? entries : entries.slice(first);
}

const EVERY_MS = 600;
const LINES = 200;
/** Entries in memory while the reader is at the end. */
const KEPT = 4_000;
