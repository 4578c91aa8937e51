import { visible } from "../../../events/visible.ts";
import { PAUSES } from "../../../projections/labels/pauses.ts";
import { useAnswer } from "../answers.ts";
import { Moment, useClock } from "../parts/time.tsx";
import { millisecondsOf } from "../parts/zone.ts";

/** Loops that start no session for a while: until when, and why. */
export function PauseBanner() {
  const { answer } = useAnswer("overview", {}, { at: undefined });
  const now = useClock();
  // A driver that died while paused never cleared its pause.
  const pauses = (answer?.pauses ?? []).filter(({ until }) => millisecondsOf(until) > now);
  if (pauses.length === 0) return null;
  return (
    <div class="banner" role="status">
      {pauses.map(({ driver, why, until, reason }) => (
        <p key={driver}>
          Loop {visible(driver)} waits until <Moment time={until} /> {PAUSES[why]}: {visible(reason)}
        </p>
      ))}
    </div>
  );
}
