import { budgetWords, counted, limitWords, visible } from "../core.ts";
import { useDraft } from "../drafts.ts";
import { Cost } from "../parts/cost.tsx";
import { MessageText } from "../parts/states.tsx";
import { Moment } from "../parts/time.tsx";
import { PauseOrResume, StartLoop, StopLoop } from "./loop-acts.tsx";
import { StateWords } from "./loop-state.tsx";
import type { LoopActs, Loops } from "./use-loops.ts";

interface LoopDetailsProps {
  readonly loops: Loops;
  readonly acts: LoopActs;
}

/** Each loop with its figures, and every action with its reason. */
export function LoopDetails({ loops, acts }: LoopDetailsProps) {
  const { view, plan, paused, ready, cost } = loops;
  const [reason, setReason] = useDraft("pause");
  return (
    <div class="loop-details">
      {view.live.map((loop) => (
        <div key={loop.driver} class="loop-one">
          <p>
            <StateWords {...loop} />
          </p>
          <p class="muted">
            {visible(loop.driver)} · agent {visible(loop.agent)} · {counted(loop.jobs, "job")} · since{" "}
            <Moment time={loop.started_at} /> · {budgetWords(loop)}
          </p>
          <StopLoop loop={loop} acts={acts} />
        </div>
      ))}
      {view.live.length === 0 && (
        <p>
          <StateWords {...view.all} />
          {view.ended?.at && (
            <span class="muted">
              {" "}
              (<Moment time={view.ended.at} />)
            </span>
          )}
        </p>
      )}
      <p class="muted">
        {counted(ready, "task")} ready · cost today (UTC) <Cost microUsd={cost.cost_micro_usd} />
        {cost.unknown > 0 && `, without ${counted(cost.unknown, "session")} of unknown cost`}
      </p>
      <div class="loop-pause">
        {paused ? (
          <p>
            Paused since <Moment time={paused.since} /> by {visible(paused.actor)}
            {paused.reason !== null && `: ${visible(paused.reason)}`}. No loop starts a session.
          </p>
        ) : (
          <label>
            Reason{" "}
            <input
              value={reason}
              maxLength={200}
              placeholder="optional, for people"
              onInput={({ currentTarget }) => setReason(currentTarget.value)}
            />
          </label>
        )}
        <PauseOrResume
          isPaused={paused !== null}
          acts={acts}
          reason={reason}
          onPaused={() => setReason("")}
        />
      </div>
      <div>
        <StartLoop plan={plan} acts={acts}>
          {view.live.length > 0 ? "Start another" : "Start"}
        </StartLoop>
        {plan && (
          <p class={"problem" in plan ? "why-not" : "muted"}>
            {"problem" in plan ? (
              <MessageText text={plan.problem} />
            ) : (
              `A new loop has agent ${visible(plan.agent)}, ${limitWords(plan.budget)}, and waits for tasks until you stop it.`
            )}
          </p>
        )}
      </div>
    </div>
  );
}
