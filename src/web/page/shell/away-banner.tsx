import { live, tryNow } from "../live.ts";
import { Told } from "../parts/states.tsx";
import { Countdown } from "../parts/time.tsx";
import { useStore } from "../store.ts";

/** The page stays readable while the server is away, or has no log to follow, and says so. */
export function AwayBanner() {
  const { state, head, nextTryAt, problem } = useStore(live);
  if (state === "unknown_address") {
    return (
      <p class="banner" role="alert">
        <Told text={problem ?? ""} />
      </p>
    );
  }
  if (state !== "reconnecting") return null;
  const asOf = head === undefined ? "" : `What you see is as of #${head.toLocaleString("en")}. `;
  return (
    <p class="banner">
      <span role="alert">
        <Told text={problem ?? "The server is away."} /> {asOf}
      </span>
      Next try {nextTryAt === undefined ? "now" : <Countdown to={nextTryAt} />}.{" "}
      <button type="button" onClick={tryNow}>
        Try now
      </button>
    </p>
  );
}
