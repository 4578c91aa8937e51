import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { forgetLog, trustLog } from "../config/known-log.ts";
import { projectState } from "../config/project-state.ts";
import { decide } from "../decisions/decide.ts";
import { stateOf } from "../decisions/state.ts";
import { closeStore, openStoreAt, type Store } from "../decisions/store.ts";
import { replayEnvironment } from "../decisions/system-environment.ts";
import { logPathBeside } from "../events/log-location.ts";
import { createLog } from "../events/open-log.ts";
import { errorMessage } from "../lib/error-message.ts";
import { makePrivateFolder } from "../lib/private-folder.ts";
import { createGeneral } from "../operations/general.ts";
import { nextTaskId } from "../projections/board/task-rows.ts";
import { type ConnectAgent, inProcessAgents, processAgents } from "./agent.ts";
import { renumber } from "./renumber.ts";
import { replay } from "./replay.ts";
import { loadSimulation, type Outcome, type Simulation } from "./simulation.ts";

/** The result of a replay, compared with the expected one. */
export interface SimulationReport {
  readonly id: string;
  readonly ok: boolean;
  readonly result: Outcome;
  /** Each difference from the expected result, and each call with another answer than recorded. */
  readonly differences: readonly string[];
}

/**
 * One line of `signalbox sims --json`. A simulation that cannot be read or replayed has no result.
 */
export type FileReport =
  | SimulationReport
  | (Omit<SimulationReport, "ok" | "result"> & { readonly ok: false; readonly result: null });

export interface RunOptions {
  /** True: runs the server in this process, not in a separate one for every session. */
  readonly inProcess: boolean;
}

/** Replays the simulation in a file and compares. Reports one that cannot be read or replayed. */
export async function runSimulationFile(path: string, options: RunOptions): Promise<FileReport> {
  let id = path;
  try {
    const simulation = loadSimulation(path);
    id = simulation.id;
    return await runSimulation(simulation, options);
  } catch (error) {
    const why = errorMessage(error);
    return { id, ok: false, result: null, differences: [why] };
  }
}

/** Replays a simulation in a temporary folder and compares. */
export async function runSimulation(simulation: Simulation, options: RunOptions): Promise<SimulationReport> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-sim-"));
  try {
    return await runSimulationIn(folder, simulation, options);
  } finally {
    if (!options.inProcess) projectState(join(folder, "ralph.db")).clear();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The same in a folder that stays; the log is identical, byte for byte, however often and wherever
 * it is replayed.
 */
export async function runSimulationIn(
  folder: string,
  simulation: Simulation,
  options: RunOptions,
): Promise<SimulationReport> {
  return inReplayProject(folder, simulation.id, options, (stage) => runOn(stage, simulation));
}

/**
 * Replays many simulations into one project, one after another, with renumbered tasks. Runs `init`
 * at the end, so that people can go on with the project; at the end, so that a simulation's
 * positions are those of its replay.
 *
 * @param folder the project's folder; its log must be new
 */
export async function runCorpusInto(
  folder: string,
  simulations: readonly Simulation[],
  options: RunOptions,
  onReport: (report: SimulationReport) => void,
): Promise<void> {
  await inReplayProject(join(folder, ".ralph", "db"), "corpus", options, async (stage) => {
    for (const simulation of simulations) {
      const base = nextTaskId(stateOf(stage.store.readModel)) - 1;
      onReport(await runOn(stage, renumber(simulation, base)));
    }
    await decide(stage.store, createGeneral(), { actor: "human" });
    await trustLog(stage.store.log, join(folder, ".ralph", "db", "ralph.db"));
  });
}

/** The place of a replay. */
interface Stage {
  readonly store: Store;
  readonly connectAgent: ConnectAgent;
  advance(seconds: number): void;
}

async function runOn(
  { store, connectAgent, advance }: Stage,
  simulation: Simulation,
): Promise<SimulationReport> {
  const { outcome, surprises } = await replay(simulation, store, connectAgent, advance);
  const found = [...surprises, ...differences(simulation.expected, outcome)];
  return { id: simulation.id, ok: found.length === 0, result: outcome, differences: found };
}

async function inReplayProject<T>(
  folder: string,
  seed: string,
  { inProcess }: RunOptions,
  work: (stage: Stage) => Promise<T>,
): Promise<T> {
  const path = join(folder, "ralph.db");
  makePrivateFolder(folder);
  const location = { path: logPathBeside(path) };
  await createLog(location);
  // It is made here, also where a demo was before.
  if (!inProcess) forgetLog(path);
  const clock = replayClock(join(folder, "replay"), seed);
  // Its server processes must know the log.
  const store = await openStoreAt(location, path, replayEnvironment(seed, clock.now), {
    isGuarded: !inProcess,
  });
  try {
    const connectAgent = inProcess ? inProcessAgents(store) : processAgents(path, clock.file);
    return await work({ store, connectAgent, advance: clock.advance });
  } finally {
    await closeStore(store);
    rmSync(clock.file);
  }
}

/** 2026-01-01T00:00:00Z: every replay starts at this time. */
export const REPLAY_START = 1_767_225_600_000_000;

/**
 * A clock that advances only on request, and a file from which server processes read it
 * (environment.ts).
 */
function replayClock(file: string, seed: string) {
  let present = REPLAY_START;
  const show = () => writeFileSync(file, `${seed}\n${present}\n`);
  show();
  return {
    file,
    now: () => present,
    advance(seconds: number) {
      present += seconds * 1_000_000;
      show();
    },
  };
}

/**
 * The differences of two JSON values, each as `path: expected X, got Y`; empty if they are equal.
 * The order of fields is ignored, the order of lists counts.
 */
function differences(expected: unknown, actual: unknown, path = ""): string[] {
  if (isObject(expected) && isObject(actual)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return [...keys].flatMap((key) => differences(expected[key], actual[key], path ? `${path}.${key}` : key));
  }
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected.flatMap((value, index) => differences(value, actual[index], `${path}[${index}]`));
  }
  const [wanted, got] = [expected, actual].map((value) => JSON.stringify(value) ?? "nothing");
  return wanted === got ? [] : [`${path}: expected ${wanted}, got ${got}`];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
