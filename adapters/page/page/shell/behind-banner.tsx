import { useAnswer } from "../answers.ts";
import { visible } from "../core.ts";
import { live } from "../live.ts";
import { useHasTaken } from "../parts/time.tsx";
import { useStore } from "../store.ts";

/** Warns that the page is out of date: a projection stopped, or the board lags behind the log. */
export function BehindBanner() {
  const { answer, position } = useAnswer("overview", {}, { at: undefined });
  const state = useStore(live, (value) => value.state);
  const head = useStore(live, (value) => value.head);
  const stopped = answer?.stopped ?? [];
  if (stopped.length > 0) {
    return (
      <div class="banner" role="alert">
        {stopped.map(({ projection, error, own }) => (
          <p key={projection}>
            Projection <b>{projection}</b> stopped with an error: {visible(error ?? "unknown")}.{" "}
            {own
              ? "Only its own tables are out of date. Correct its code, then run "
              : "Views that depend on it are out of date, and you cannot change anything until it runs again. Update signalbox, then run "}
            <code>signalbox rebuild</code>.
          </p>
        ))}
      </div>
    );
  }
  if (state !== "live" || head === undefined || position === undefined || position >= head) return null;
  return <Behind key={position} board={position} log={head} />;
}

/** Shown only after the lag has lasted for a while. */
function Behind({ board, log }: { readonly board: number; readonly log: number }) {
  if (!useHasTaken(STANDS_STILL_MS)) return null;
  return (
    <p class="banner" role="status">
      The board is behind the log: it shows #{board.toLocaleString("en")} of #{log.toLocaleString("en")}.
    </p>
  );
}

const STANDS_STILL_MS = 2_000;
