import { Refusal } from "../../decisions/refusal.ts";
import { wasEver } from "../../decisions/state.ts";
import { replayEnvironment } from "../../decisions/system-environment.ts";
import { openMemoryLog } from "../../events/memory-log.ts";
import { boardTables } from "../../projections/board/tables.ts";
import { ReadModel } from "../../read-model/read-model.ts";
import { catchUp } from "../../read-model/worker.ts";
import { inProcessAgents } from "../../replay/agent.ts";
import { replay } from "../../replay/replay.ts";
import { REPLAY_START } from "../../replay/run.ts";
import type { Simulation } from "../../replay/simulation.ts";
import { type Facts, sumOfFacts } from "./facts.ts";
import { unknownsOf, type WhatIfPolicy } from "./policy.ts";
import type { TaskDifference, WhatIfReport } from "./report.ts";
import { whatIf } from "./what-if.ts";

/**
 * The effects of another policy on many simulations; the JSON object of `signalbox what-if --sims
 * --json`.
 */
export interface CorpusReport {
  readonly policy: WhatIfPolicy;
  readonly simulations: number;
  /** All of their tasks. */
  readonly tasks: number;
  /**
   * How many tasks diverge, end with another status, and have an unknown history from some position
   * on; for the last group, the status known up to there counts.
   */
  readonly parted: number;
  readonly other_status: number;
  readonly unknown: number;
  readonly sessions: Facts;
  /** The simulations in which a task diverges. */
  readonly differing: readonly SimulationReport[];
  readonly cannot_know: WhatIfReport["cannot_know"];
}

type SimulationReport = WhatIfReport & { readonly simulation: string };

/**
 * Replays simulations in memory, one after another, and applies another policy to each.
 *
 * @throws Refusal `not_found`: a task whose priority the policy sets is in none of them; thrown
 * after all were replayed, since tasks are also created on the way
 */
export async function whatIfCorpus(
  simulations: readonly Simulation[],
  policy: WhatIfPolicy,
  onProgress: (done: number, id: string) => void = () => {},
): Promise<CorpusReport> {
  const reports: SimulationReport[] = [];
  const missing = new Set(Object.keys(policy.priorities ?? {}).map(Number));
  for (const simulation of simulations) {
    const report = await onLogOf(simulation, (log, readModel) => {
      const board = readModel.rowsOf(boardTables);
      for (const task of missing) if (wasEver(board, task)) missing.delete(task);
      return whatIf(log, policy);
    });
    reports.push({ simulation: simulation.id, ...report });
    onProgress(reports.length, simulation.id);
  }
  const [task] = missing;
  if (task !== undefined) {
    const asked = simulations.map(({ id }) => id);
    const where = asked.length > 5 ? `any of the ${asked.length} simulations` : asked.join(", ");
    throw new Refusal("not_found", `There is no task ${task} in ${where}. Choose another.`);
  }
  return sumUp(policy, reports);
}

/** Sums the effects of a policy on many simulations. */
export function sumUp(policy: WhatIfPolicy, reports: readonly SimulationReport[]): CorpusReport {
  const parted = reports.flatMap(({ tasks }) => tasks);
  return {
    policy,
    simulations: reports.length,
    tasks: reports.reduce((sum, { counts }) => sum + sumOf(Object.values(counts.was)), 0),
    parted: parted.length,
    other_status: parted.filter(hasOtherStatus).length,
    unknown: parted.filter(({ other_history }) => other_history !== null).length,
    sessions: sumOfFacts(reports.map(({ sessions }) => sessions)),
    differing: reports.filter(({ parts_at }) => parts_at !== null),
    cannot_know: unknownsOf(policy),
  };
}

/** Whether a task would have another status at the head, or where its history becomes unknown. */
function hasOtherStatus({ was, would_be, other_history }: TaskDifference): boolean {
  return (other_history ? other_history.was : was)?.status !== would_be?.status;
}

/**
 * Replays a simulation with the server in this process; its log is that of `signalbox sims`, in
 * memory, like the final read model.
 */
export async function onLogOf<Answer>(
  simulation: Simulation,
  ask: (log: ReturnType<typeof openMemoryLog>, readModel: ReadModel) => Promise<Answer>,
): Promise<Answer> {
  let present = REPLAY_START;
  const environment = replayEnvironment(simulation.id, () => present);
  const store = { log: openMemoryLog(environment), readModel: new ReadModel(":memory:"), environment };
  try {
    await replay(simulation, store, inProcessAgents(store), (seconds) => {
      present += seconds * 1_000_000;
    });
    await catchUp(store.readModel, store.log);
    return await ask(store.log, store.readModel);
  } finally {
    store.readModel.close();
    await store.log.close();
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
