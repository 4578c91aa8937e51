import { useEffect, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { useAddress } from "../../../address.ts";
import { askServer } from "../../../answers.ts";
import { counted } from "../../../core.ts";
import { live } from "../../../live.ts";
import { Fault, Loading } from "../../../parts/states.tsx";
import { Windowed } from "../../../parts/windowed.tsx";
import { useStore } from "../../../store.ts";
import { Entry } from "./entry.tsx";
import type { OutputEntry } from "./loaded.ts";

/** The entries of a session's output that have all searched words, the newest first. */
export function Hits({ session, text }: { readonly session: string; readonly text: string }) {
  const { with: to } = useAddress();
  const { found, error, again, isBusy, more } = useHits(session, text);
  const [wholes, setWholes] = useState<ReadonlyMap<string, string>>(new Map());
  const fault = error && <Fault error={error} onRetry={again} />;
  if (!found) return fault ?? <Loading what="the results" />;
  const { entries } = found;
  return (
    <>
      {fault}
      <p class="muted output-extent" role="status">
        {counted(entries.length, "result")}
        {more && " so far"}{" "}
        {more && (
          <button type="button" disabled={isBusy} onClick={more}>
            Search further back
          </button>
        )}
      </p>
      <div class="output-list">
        <Windowed
          key={text}
          label="Results, newest first"
          count={entries.length}
          rowHeight={72}
          keyOf={(index) => `${entries[index]?.at}.${entries[index]?.nth}`}
          row={(index) => {
            const entry = entries[index];
            if (!entry) return null;
            const key = `${entry.at}.${entry.nth}`;
            return (
              <Entry
                session={session}
                entry={entry}
                whole={wholes.get(key)}
                onWhole={(whole) => setWholes(new Map(wholes).set(key, whole))}
              >
                <Link href={to({ find: undefined, byte: entry.at })}>show in the output</Link>
              </Entry>
            );
          }}
        />
      </div>
    </>
  );
}

interface Found {
  readonly entries: readonly OutputEntry[];
  /** The offset to search on from; null: all is searched. */
  readonly next: number | null;
}

/** The entries of a session's output that match a search, the newest first. */
function useHits(session: string, text: string) {
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
