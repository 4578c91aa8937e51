import { useId, useState } from "preact/hooks";
import { ActButton } from "../parts/act-button.tsx";
import { Select } from "../parts/select.tsx";
import type { LoopActs, Loops } from "./use-loops.ts";

/** A button to start a loop, and with how many jobs. */
export function StartLoop({
  plan,
  acts,
  children = "Start",
}: {
  readonly plan: Loops["plan"];
  readonly acts: LoopActs;
  readonly children?: string;
}) {
  const id = useId();
  const [chosen, setChosen] = useState<string>();
  const planned = plan && !("problem" in plan) ? plan : undefined;
  const jobs = chosen ?? String(planned?.jobs ?? 1);
  const choices = [...Array(MOST_JOBS).keys()].map((nth) => String(nth + 1));
  return (
    <span class="loop-start">
      <ActButton
        class="main"
        disabledReason={acts.noStart}
        isBusy={acts.start.isBusy}
        onAct={() => void acts.start.run({ jobs: Number(jobs) })}
      >
        {acts.start.isBusy ? "Starting …" : children}
      </ActButton>
      {planned && (
        <>
          <label htmlFor={id}>jobs</label>
          <Select id={id} label="Jobs in parallel" value={jobs} choices={choices} onChoose={setChosen} />
        </>
      )}
    </span>
  );
}

const MOST_JOBS = 16;

/** Pauses the work of all loops, or resumes it. */
export function PauseOrResume({
  isPaused,
  acts: { pause, resume, noPause },
  reason = "",
  onPaused,
}: {
  readonly isPaused: boolean;
  readonly acts: LoopActs;
  /** Why it is paused. */
  readonly reason?: string;
  onPaused?(): void;
}) {
  const pauseWork = async () => {
    if (await pause.run(reason.trim() ? { reason: reason.trim() } : {})) onPaused?.();
  };
  return isPaused ? (
    <ActButton disabledReason={noPause} isBusy={resume.isBusy} onAct={() => void resume.run({})}>
      Resume
    </ActButton>
  ) : (
    <ActButton disabledReason={noPause} isBusy={pause.isBusy} onAct={() => void pauseWork()}>
      Pause
    </ActButton>
  );
}

/** Stops one loop after the sessions that it runs. */
export function StopLoop({
  loop: { driver, stop_asked_by },
  acts: { stop, noStop },
}: {
  readonly loop: Loops["view"]["live"][number];
  readonly acts: LoopActs;
}) {
  const asked = stop_asked_by === null ? undefined : "It stops after the sessions that it runs.";
  return (
    <ActButton
      disabledReason={noStop ?? asked}
      isBusy={stop.isBusy}
      aria-label={`Stop loop ${driver}`}
      onAct={() => void stop.run({ driver })}
    >
      Stop
    </ActButton>
  );
}
