import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { useAddress } from "../../../address.ts";
import { counted } from "../../../core.ts";
import { Fault, Loading } from "../../../parts/states.tsx";
import { Windowed } from "../../../parts/windowed.tsx";
import { Entry } from "./entry.tsx";
import { useHits } from "./use-hits.ts";

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
