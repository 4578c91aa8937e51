import { useEffect } from "preact/hooks";
import { Link } from "wouter-preact";
import { useAddress } from "../address.ts";
import { reading } from "../answers.ts";
import { useEventOfPast } from "../changed.ts";
import { counted, visible } from "../core.ts";
import { useKeys } from "../keys.ts";
import { live } from "../live.ts";
import { readingWords } from "../parts/reading-words.ts";
import { Moment, shownMoment } from "../parts/time.tsx";
import { millisecondsOf } from "../parts/zone.ts";
import { createStore, useStore } from "../store.ts";

/** Says that the page shows the past, and links back to the present. */
export function PastBanner() {
  const address = useAddress();
  const { at } = address;
  useKeys(
    "Time travel",
    at === undefined ? [] : [{ key: "L", does: "back to now", run: () => address.go({ at: undefined }) }],
  );
  if (at !== undefined) return <Banner at={at} />;
  const asked = address.get("at");
  return asked === undefined ? null : (
    <p class="banner" role="status">
      “{visible(asked)}” is not a valid position in the log. Viewing the present.{" "}
      <Link href={address.with({ at: undefined })}>Remove it from the address</Link>
    </p>
  );
}

/** The last requested position beyond the end of the log, and the head shown in its place. */
const beyond = createStore<{ readonly asked: number; readonly head: number } | undefined>(undefined);

function Banner({ at }: { readonly at: number }) {
  const { with: to, go } = useAddress();
  const head = useStore(live, (value) => value.head);
  const missed = useStore(beyond);
  const progress = useStore(reading);
  const event = useEventOfPast(at);
  useEffect(() => {
    if (head === undefined || at <= head) return;
    beyond.set({ asked: at, head });
    go({ at: head }, { replace: true });
  }, [at, head]);
  const since = head === undefined ? undefined : Math.max(0, head - at);
  useEffect(() => {
    if (event) shownMoment.set(millisecondsOf(event.recordedAt));
  }, [event]);
  useEffect(() => () => shownMoment.set(undefined), []);
  return (
    <p class="banner">
      {/* Announced once, not for every position that the slider passes. */}
      <span role="status">
        <span class="hidden-but-read">This is the past. </span>
        {missed?.head === at && `#${missed.asked.toLocaleString("en")} does not exist yet. `}
      </span>
      Viewing the project at #{at.toLocaleString("en")}
      {event && (
        <>
          {" "}
          (<Moment time={event.recordedAt} />)
        </>
      )}
      {since !== undefined && ` · ${counted(since, "event")} ago`} ·{" "}
      <Link href={to({ at: undefined })}>Back to now (L)</Link>
      {progress && ` · ${readingWords(progress)}`}
    </p>
  );
}
