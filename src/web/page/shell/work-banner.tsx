import { visible } from "../../../events/visible.ts";
import { useAct, useDisabledReason } from "../acts.ts";
import { useAnswer } from "../answers.ts";
import { ActButton } from "../parts/act-button.tsx";
import { Moment } from "../parts/time.tsx";

/** Says on every view that a human paused the work, and lets it be resumed. */
export function WorkBanner() {
  const { answer } = useAnswer("overview", {}, { at: undefined });
  const { run, isBusy, problem } = useAct("resume_work");
  const disabledReason = useDisabledReason();
  const paused = answer?.paused;
  if (!paused) return null;
  return (
    <p class="banner" role="status">
      Work is paused since <Moment time={paused.since} /> by {visible(paused.actor)}
      {paused.reason !== null && `: ${visible(paused.reason)}`}. No session starts.{" "}
      <ActButton disabledReason={disabledReason} isBusy={isBusy} onAct={() => void run({})}>
        Resume
      </ActButton>
      {problem !== undefined && <span role="alert"> {problem}</span>}
    </p>
  );
}
