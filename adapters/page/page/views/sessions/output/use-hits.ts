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
  const { redactions, state } = useStore(live);
  const [before, setBefore] = useState<number>();
  const [isBusy, setBusy] = useState(false);
  const [tries, setTries] = useState(0);
  const again = () => setTries(tries + 1);
  useEffect(() => {
    setFound(undefined);
    setError(undefined);
    setBefore(undefined);
  }, [session, text, redactions]);
  useEffect(() => {
    if (text.trim() === "") return;
    const abort = new AbortController();
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
      .finally(() => !abort.signal.aborted && setBusy(false));
    return () => abort.abort();
  }, [session, text, redactions, before, tries]);
  useEffect(() => {
    if (state === "live" && error) again();
  }, [state]);
  const next = found?.next ?? null;
  return { found, error, again, isBusy, more: next === null ? undefined : () => setBefore(next) };
}
