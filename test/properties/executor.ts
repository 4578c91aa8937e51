import { type Decision, decide } from "../../src/decisions/decide.ts";
import { Refusal } from "../../src/decisions/refusal.ts";
import { recordSignal, reportState } from "../../src/decisions/rules/reports.ts";
import { type State, stateOf } from "../../src/decisions/state.ts";
import type { Store } from "../../src/decisions/store.ts";
import { replayEnvironment } from "../../src/decisions/system-environment.ts";
import { openMemoryLog } from "../../src/events/memory-log.ts";
import { idFromKey } from "../../src/lib/ids.ts";
import { LogError } from "../../src/lib/log-error.ts";
import { createDiscipline } from "../../src/operations/disciplines.ts";
import { createFeature } from "../../src/operations/features.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import type { Command, Declarer, History } from "./commands.ts";
import { decisionOf, reporterOf } from "./resolve.ts";

/** What one command came to. `send` does the same again: the same decision, under the same key. */
export interface Step {
  readonly command: Command;
  readonly refusal: Refusal | LogError | undefined;
  readonly send: () => Promise<unknown>;
}

export const PRESENT_US = 1_767_225_600_000_000;

/** A store that lives in memory, with fixed ids and a clock that stands still. */
export function openMemoryStore(now: () => number = () => PRESENT_US): Store {
  const environment = replayEnvironment("seed", now);
  return { log: openMemoryLog(environment), readModel: new ReadModel(":memory:"), environment };
}

/**
 * Does what a history says, through the real decisions and reports, and returns a step for each command. Refusals are
 * kept in the steps; anything else that is thrown is a fault and goes on.
 */
export async function execute(
  store: Store,
  { project, commands }: History,
  around: (step: () => Promise<Step>) => Promise<Step> = (step) => step(),
): Promise<Step[]> {
  const steps: Step[] = [];
  const state = stateOf(store.readModel);
  await buildCatalogue(store);
  const all: Command[] = [...project.map((task) => ({ do: "create", task }) as const), ...commands];
  for (const [index, command] of all.entries()) {
    steps.push(await around(() => perform(store, state, command, `step ${index}`)));
  }
  await catchUp(store.readModel, store.log);
  return steps;
}

/** The features and disciplines that the tasks of a history name. */
export async function buildCatalogue(store: Store): Promise<void> {
  const entries: Decision[] = [
    createFeature({ name: "core" }),
    createFeature({ name: "reports" }),
    createDiscipline({ name: "backend" }),
    createDiscipline({ name: "frontend" }),
  ];
  for (const [index, decision] of entries.entries()) {
    await decide(store, decision, { actor: "human", key: `catalogue ${index}` });
  }
}

/** Does one command of a history. @param key its own */
export async function perform(store: Store, state: State, command: Command, key: string): Promise<Step> {
  await catchUp(store.readModel, store.log);
  const send = senderOf(store, state, command, key);
  try {
    await send();
    return { command, refusal: undefined, send };
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof LogError)) throw error;
    return { command, refusal: error, send };
  }
}

function senderOf(store: Store, state: State, command: Command, key: string): () => Promise<unknown> {
  const id = idFromKey(key);
  if (command.do === "signal") {
    const reporter = reporterOf(state, command);
    return async () => {
      await recordSignal(store, reporter, { ...command.signal, id });
      await catchUp(store.readModel, store.log);
    };
  }
  if (command.do === "state") {
    const reporter = reporterOf(state, { ...command, task: 0, stray: false });
    return () => reportState(store, reporter, { state: command.state, id });
  }
  const decision = decisionOf(state, command);
  return () => decide(store, decision, { actor: actorOf(command), key });
}

/** Who gives a command that is a decision. */
export function actorOf(command: Command): Declarer {
  if (command.do === "create") return command.task.by;
  return command.do === "declare" ? command.by : "human";
}
