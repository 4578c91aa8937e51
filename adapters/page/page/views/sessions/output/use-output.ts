import { useEffect, useRef, useState } from "preact/hooks";
import { askServer } from "../../../answers.ts";
import { live } from "../../../live.ts";
import { AwayError } from "../../../request.ts";
import { useStore } from "../../../store.ts";
import {
  LINES,
  type Loaded,
  NOTHING,
  type Sight,
  type Step,
  type Wish,
  wishFor,
  withPage,
} from "./loaded.ts";

interface Options {
  readonly isRunning: boolean;
  /** Where to begin, in bytes; undefined: at the end. */
  readonly origin: number | undefined;
  sight(): Sight;
}

/**
 * A part of a session's output that grows at both ends: at its end by itself while the session runs,
 * otherwise on demand.
 */
export function useOutput(session: string, { isRunning, origin, sight }: Options) {
  const [output, setOutput] = useState<Loaded>(NOTHING);
  const [error, setError] = useState<Error>();
  const redactions = useStore(live, (now) => now.redactions);
  // The requests of one reading; those of an earlier one are aborted.
  const reading = useRef<Reading | undefined>(undefined);
  const running = useRef(isRunning);
  running.current = isRunning;
  useEffect(() => {
    const abort = new AbortController();
    const now: Reading = { loaded: NOTHING, isBusy: false, step };
    reading.current = now;
    setOutput(NOTHING);
    setError(undefined);
    async function ask(wish: Wish) {
      if (now.isBusy) return;
      now.isBusy = true;
      const isOver = !running.current;
      try {
        const { answer } = await askServer("session_output", { session, ...wish }, undefined, abort.signal);
        if (abort.signal.aborted) return;
        now.loaded = withPage(now.loaded, answer, wish, sight());
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
        const { next } = now;
        delete now.next;
        if (next !== undefined && !abort.signal.aborted) void step(next);
      }
    }
    async function step(wished: Step) {
      if (now.isBusy && wished !== "tail") now.next = wished;
      const wish = wishFor(now.loaded, wished, sight());
      if (wish) await ask(wish);
    }
    const begin = async () => {
      await ask({ from: origin, limit: LINES });
      if (origin !== undefined && !abort.signal.aborted) await step("older");
    };
    void begin();
    const timer = setInterval(() => {
      if (document.visibilityState === "hidden" || live.get().state === "unknown_address") return;
      if (!now.loaded.isRead) void begin();
      else if (!now.isOver || running.current) void step("tail");
    }, EVERY_MS);
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, [session, origin, redactions]);
  return { output, error, load: (step: Step) => void reading.current?.step(step) };
}

interface Reading {
  loaded: Loaded;
  isBusy: boolean;
  /** The whole output of an ended session was read. */
  isOver?: boolean;
  /** Wished while another request was under way. */
  next?: Step;
  step(wished: Step): Promise<void>;
}

const EVERY_MS = 600;
