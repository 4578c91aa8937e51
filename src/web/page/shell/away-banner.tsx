import { live, tryNow } from "../live.ts";
import { Countdown } from "../parts/time.tsx";
import { useStore } from "../store.ts";

/** The page stays readable while the server is away, and says so. */
export function AwayBanner() {
  const { state, head, nextTryAt } = useStore(live);
  if (state === "unknown_address") {
    return (
      <p class="banner" role="alert">
        This address belongs to an earlier start. Run <code>signalbox serve</code> and open what it prints.
      </p>
    );
  }
  if (state !== "reconnecting") return null;
  return (
    <p class="banner" role="alert">
      The server is away; what you see is as of #{head?.toLocaleString("en") ?? "?"}. Next try{" "}
      {nextTryAt === undefined ? "now" : <Countdown to={nextTryAt} />}.{" "}
      <button type="button" onClick={tryNow}>
        Try now
      </button>
    </p>
  );
}
