/**
 * For tests of programs built on signalbox: a project in memory; given, when, then; and the contract
 * for an event log of your own. It needs no test runner.
 *
 * @module signalbox/testing
 */
import { deepStrictEqual } from "node:assert";
import {
  createGeneral,
  type Decision,
  openMemoryLog,
  Project,
  type ProjectOptions,
  projectionsOf,
  ReadModel,
  Refusal,
  type RefusalCode,
  replayEnvironment,
} from "./core.ts";

export { type LogContractCase, logContract } from "./log-contract/log-contract.ts";
export type { OpenedLog, OpenLog } from "./log-contract/opened-log.ts";

/**
 * A project in memory, as `initProject` makes one: with a feature and a discipline `general`. It is noon of 1 January 2026 unless an
 * environment says otherwise, and ids follow from the calls, so that the same calls give the same log.
 *
 * @example
 * import { createTask } from "signalbox";
 * import { openTestProject } from "signalbox/testing";
 *
 * await using project = await openTestProject();
 * const [created] = await project.decide(createTask({ title: "Export orders as CSV" }));
 * console.log(created.payload.title);
 */
export async function openTestProject(options: ProjectOptions = {}): Promise<Project> {
  const { actor = "human", environment = replayEnvironment("test", () => NOON) } = options;
  const readModel = new ReadModel(":memory:", projectionsOf(options));
  const project = new Project({ log: openMemoryLog(environment), readModel, environment }, actor);
  await project.decide(createGeneral());
  return project;
}

const NOON = Date.UTC(2026, 0, 1, 12) * 1_000;

/**
 * Given decisions that were taken, when another one is, then it gives these events, or is refused.
 *
 * @example
 * import { createTask, startSession } from "signalbox";
 * import { given } from "signalbox/testing";
 *
 * await given(createTask({ title: "Export orders as CSV" }))
 *   .when(startSession({ task: 2, session: "s-1" }))
 *   .isRefused("not_found");
 * console.log("ok");
 */
export function given(...decisions: readonly Decision[]): { when(decision: Decision): Outcome } {
  return {
    when(decision) {
      const outcome = take(decisions, decision);
      // A failure is reported to the call that asks for the outcome.
      outcome.catch(() => undefined);
      return {
        async gives(...expected) {
          const found = await outcome;
          if (found instanceof Refusal) throw found;
          deepStrictEqual(found, expected);
        },
        async isRefused(code) {
          const found = await outcome;
          deepStrictEqual(found instanceof Refusal ? found.code : found, code);
        },
      };
    },
  };
}

/** What came of a decision. Each throws an AssertionError where it came otherwise. */
export interface Outcome {
  /** It gave exactly these events. */
  gives(...events: readonly { readonly type: string; readonly payload: unknown }[]): Promise<void>;
  /** It was refused, and nothing recorded. */
  isRefused(code: RefusalCode): Promise<void>;
}

async function take(before: readonly Decision[], decision: Decision) {
  const project = await openTestProject();
  for (const one of before) await project.decide(one);
  try {
    const events = await project.decide(decision);
    return events.map(({ type, payload }) => ({ type, payload }));
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  } finally {
    await project.close();
  }
}
