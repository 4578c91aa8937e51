import { type LoopsView, viewLoops } from "../../../projections/labels/loop-words.ts";
import type { AnswerOf } from "../../server/answers/index.ts";
import { useAct, useDisabledReason } from "../acts.ts";
import { useAnswer } from "../answers.ts";
import { useNow } from "../parts/time.tsx";

/** The loops at the shown position, as people see them; undefined until the answer arrives. */
export function useLoops(): Loops | undefined {
  // A process that dies says nothing.
  const { answer } = useAnswer("loop", {}, { every_ms: LOOK_MS });
  const now = useNow() * 1_000;
  return answer && { ...answer, view: viewLoops(answer, { ...answer, now }) };
}

const LOOK_MS = 5_000;

/** The answer, and what it means for people. */
export type Loops = AnswerOf<"loop"> & { readonly view: LoopsView };

/** The actions on loops, and why each of them cannot be done now. */
export function useLoopActs(loops: Loops | undefined) {
  const noActs = useDisabledReason();
  const start = useAct("start_loop");
  const pause = useAct("pause_work");
  const resume = useAct("resume_work");
  const stop = useAct("stop_loop");
  const { plan = null, view } = loops ?? {};
  const acts = [start, pause, resume, stop];
  return {
    start,
    pause,
    resume,
    stop,
    /** Why the last action failed. */
    problem: acts.find(({ problem }) => problem !== undefined)?.problem,
    noStart: noActs ?? (plan === null || "problem" in plan ? (plan?.problem ?? NOT_READ) : undefined),
    noPause: noActs,
    noStop: noActs ?? (view?.live.length === 0 ? "No loop is running." : undefined),
  };
}

const NOT_READ = "The configuration has not been read yet.";
export type LoopActs = ReturnType<typeof useLoopActs>;
