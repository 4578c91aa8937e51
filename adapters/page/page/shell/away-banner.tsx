import { live, tryNow } from "../live.ts";
import { Copy } from "../parts/copy.tsx";
import { MessageText } from "../parts/states.tsx";
import { Countdown } from "../parts/time.tsx";
import { useStore } from "../store.ts";

/** Says why the page is not live: the server is unreachable, or it cannot follow the log. */
export function AwayBanner() {
  const { state, head, nextTryAt, problem, canLogIn } = useStore(live);
  if (state === "unknown_address") {
    const { pathname, search } = location;
    return canLogIn ? (
      <p class="banner" role="alert">
        <MessageText text={problem ?? ""} />{" "}
        <a href={`/login?to=${encodeURIComponent(pathname + search)}`}>Log in</a>
      </p>
    ) : (
      <p class="banner" role="alert">
        <MessageText text={problem ?? ""} /> <Copy what="command" text={() => "signalbox serve"} />
      </p>
    );
  }
  if (state !== "reconnecting") return null;
  const asOf = head === undefined ? "" : `You are viewing the project at #${head.toLocaleString("en")}. `;
  return (
    <p class="banner">
      <span role="alert">
        <MessageText text={problem ?? "Cannot reach the server."} /> {asOf}
      </span>
      Retrying {nextTryAt === undefined ? "now" : <Countdown to={nextTryAt} />}.{" "}
      <button type="button" onClick={tryNow}>
        Retry now
      </button>
    </p>
  );
}
