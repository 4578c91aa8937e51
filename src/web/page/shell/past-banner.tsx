import { Link } from "wouter-preact";
import { useAddress } from "../address.ts";
import { useAnswer } from "../answers.ts";
import { useKeys } from "../keys.ts";
import { live } from "../live.ts";
import { Moment } from "../parts/time.tsx";
import { useStore } from "../store.ts";

/** Nobody shall take the past for the present. */
export function PastBanner() {
  const address = useAddress();
  const { at } = address;
  useKeys(
    "Time travel",
    at === undefined ? [] : [{ key: "L", does: "back to now", run: () => address.go({ at: undefined }) }],
  );
  return at === undefined ? null : <Banner at={at} />;
}

function Banner({ at }: { readonly at: number }) {
  const { with: to } = useAddress();
  const head = useStore(live, (value) => value.head);
  const { answer } = useAnswer("event", { position: Math.max(at, 1) }, { at: undefined });
  const since = head === undefined ? undefined : head - at;
  return (
    <p class="banner" role="status">
      You look at #{at.toLocaleString("en")}
      {answer && (
        <>
          {" "}
          (<Moment time={answer.recordedAt} />)
        </>
      )}
      {since !== undefined && ` · ${since.toLocaleString("en")} events ago`} ·{" "}
      <Link href={to({ at: undefined })}>Back to now (L)</Link>
    </p>
  );
}
