import { useEffect, useState } from "preact/hooks";
import { askServer } from "../../../answers.ts";
import { live } from "../../../live.ts";
import { useStore } from "../../../store.ts";
import type { OutputEntry } from "./loaded.ts";

interface Found {
  readonly entries: readonly OutputEntry[];
  /** The offset to search on from; null: all is searched. */
  readonly next: number | null;
}

/** The entries of a session's output that match a search, the newest first. */
export function useHits(session: string, text: string) {
  const [found, setFound] = useState<Found>();
  const [error, setError] = useState<Error>();
  const redactions = useStore(live, (now) => now.redactions);
  const [before, setBefore] = useState<number>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    setFound(undefined);
    setBefore(undefined);
  }, [session, text, redactions]);
  useEffect(() => {
    if (text.trim() === "") return;
    const abort = new AbortController();
    const ask = () => {
      setBusy(true);
      askServer("session_output_find", { session, text, before }, undefined, abort.signal)
        .then(({ answer: { entries, next } }) => {
          if (abort.signal.aborted) return;
          setError(undefined);
          setFound((last) => ({
            entries: before === undefined ? entries : [...(last?.entries ?? []), ...entries],
            next,
          }));
        })
        .catch((thrown: unknown) => {
          if (!abort.signal.aborted && thrown instanceof Error) setError(thrown);
        })
        .finally(() => setBusy(false));
    };
    const timer = setTimeout(ask, before === undefined ? TYPING_MS : 0);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [session, text, redactions, before]);
  const next = found?.next ?? null;
  return { found, error, isBusy, more: next === null ? undefined : () => setBefore(next) };
}

/** A pause in typing after which the search begins. */
const TYPING_MS = 200;
