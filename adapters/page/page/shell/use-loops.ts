import { useEffect, useState } from "preact/hooks";
import type { ActName } from "../../server/acts/index.ts";
import type { AnswerOf } from "../../server/answers/index.ts";
import { useAct, useDisabledReason } from "../acts.ts";
import { useAnswer } from "../answers.ts";
import { type LoopsView, viewLoops } from "../core.ts";
import { EVERYWHERE, useKeys } from "../keys.ts";
import { useNow } from "../parts/time.tsx";

/** The loops at the shown position, as people see them: undefined until the answer arrives. */
export function useLoops(): { readonly loops: Loops | undefined; readonly error: Error | undefined } {
  // A process that dies says nothing.
  const { answer, error } = useAnswer("loop", {}, { every_ms: LOOK_MS });
  const now = useNow() * 1_000;
  const loops = answer && { ...answer, view: viewLoops(answer, { ...answer, now }) };
  return { loops, error };
}

const LOOK_MS = 5_000;

/** The answer, and what it means for people. */
export type Loops = AnswerOf<"loop"> & { readonly view: LoopsView };

/** The actions on loops, and why each of them cannot be done now. */
export function useLoopActs(loops: Loops | undefined) {
  const noActs = useDisabledReason("own");
  const [problem, setProblem] = useState<string>();
  const start = useReportingAct("start_loop", setProblem);
  const pause = useReportingAct("pause_work", setProblem);
  const resume = useReportingAct("resume_work", setProblem);
  const stop = useReportingAct("stop_loop", setProblem);
  const { plan = null, view } = loops ?? {};
  return {
    start,
    pause,
    resume,
    stop,
    /** Why the last action failed; undefined once it is dismissed, or another one runs. */
    problem,
    dismiss: () => setProblem(undefined),
    noStart: noActs ?? (plan === null || "problem" in plan ? (plan?.problem ?? NOT_READ) : undefined),
    noPause: noActs,
    noStop: noActs ?? (view?.live.length === 0 ? "No loop is running." : undefined),
  };
}

/** An action whose problem takes the place of the one before. */
function useReportingAct<Name extends ActName>(name: Name, report: (problem: string | undefined) => void) {
  const act = useAct(name);
  const { isBusy, problem } = act;
  useEffect(() => {
    if (isBusy || problem !== undefined) report(problem);
  }, [isBusy, problem]);
  return act;
}

/** The actions on loops that are possible now, for the palette. */
export function useLoopKeys(loops: Loops | undefined, acts: LoopActs): void {
  const { start, pause, resume, stop, noStart, noPause, noStop } = acts;
  const work = loops?.paused
    ? { does: "resume the work of all loops", run: () => void resume.run({}) }
    : { does: "pause the work of all loops", run: () => void pause.run({}) };
  const [one, ...more] = loops?.view.live.filter(({ stop_asked_by }) => stop_asked_by === null) ?? [];
  useKeys(EVERYWHERE, [
    ...(noStart === undefined ? [{ does: "start a loop", run: () => void start.run({}) }] : []),
    ...(loops && noPause === undefined ? [work] : []),
    ...(one && more.length === 0 && noStop === undefined
      ? [{ does: "stop the loop", run: () => void stop.run({ driver: one.driver }) }]
      : []),
  ]);
}

const NOT_READ = "The configuration has not been read yet.";
export type LoopActs = ReturnType<typeof useLoopActs>;
