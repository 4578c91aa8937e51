import { onTestFinished } from "vitest";
import { openMemoryLog } from "../../../src/events/memory-log.ts";
import type { Draft } from "../../../src/events/types/index.ts";
import { metrics } from "../../../src/queries/metrics/metrics.ts";
import type { MetricsOptions } from "../../../src/queries/metrics/scope.ts";
import { ReadModel } from "../../../src/read-model/read-model.ts";
import { catchUp } from "../../../src/read-model/worker.ts";
import { environmentAt } from "../../events/given.ts";

/** Midnight before Wednesday, 2026-02-11, in microseconds. */
const MIDNIGHT = Date.UTC(2026, 1, 11) * 1_000;
const SECOND = 1_000_000;

/** Events, each with the second after midnight at which it was appended. */
export type Timed = readonly (readonly [number, Draft])[];

/** Reduces a history whose times are known, and says its metrics as of a second after midnight. */
export async function metricsOf(history: Timed, options: Partial<MetricsOptions> & { nowAt?: number } = {}) {
  const { nowAt = 86_400, ...rest } = options;
  return metrics(await readModelOf(history), { now: at(nowAt), ...rest });
}

export async function readModelOf(history: Timed): Promise<ReadModel> {
  const clock = { now: MIDNIGHT };
  const log = openMemoryLog(environmentAt(clock, "metrics"));
  for (const [second, event] of history) {
    clock.now = at(second);
    await log.append([event]);
  }
  const readModel = new ReadModel(":memory:");
  onTestFinished(() => readModel.close());
  await catchUp(readModel, log);
  return readModel;
}

export function at(second: number): number {
  return MIDNIGHT + second * SECOND;
}

export function state(
  session: string,
  phase: Draft<"session.state_reported">["payload"]["state"],
): Draft<"session.state_reported"> {
  return { type: "session.state_reported", actor: "agent", payload: { session, state: phase } };
}

export function used(
  session: string,
  usage: { cost_usd?: number; input_tokens?: number; output_tokens?: number },
): Draft<"agent.ended"> {
  return { type: "agent.ended", actor: "driver", payload: { session, exit_code: 0, ...usage } };
}

export function runBy(session: string, agent: string, model: string): Draft<"agent.started"> {
  const payload = { session, agent, model, server: "connected" } as const;
  return { type: "agent.started", actor: "driver", payload };
}

export function ask(task: number, session: string, blocking: boolean): Draft<"signal.ask"> {
  return { type: "signal.ask", actor: "agent", payload: { task, session, question: "Which one?", blocking } };
}

export function answer(task: number, question: number): Draft<"question.answered"> {
  return { type: "question.answered", actor: "human", payload: { task, question, answer: "This one." } };
}

export function learned(task: number, session: string, text: string): Draft<"signal.learned"> {
  return {
    type: "signal.learned",
    actor: "agent",
    payload: { task, session, text, kind: "discovery", scope: "project" },
  };
}
