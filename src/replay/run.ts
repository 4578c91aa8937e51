import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeStore, logPathBeside, openStore } from "../decisions/store.ts";
import { replayEnvironment } from "../environment.ts";
import { createLogFile } from "../events/sqlite-file.ts";
import { inProcessAgents, processAgents } from "./agent.ts";
import { differences } from "./differences.ts";
import { replay } from "./replay.ts";
import type { Outcome, Simulation } from "./simulation.ts";

/** One line of `signalbox sims --json`. */
export interface SimulationReport {
  readonly id: string;
  readonly ok: boolean;
  readonly result: Outcome;
  /** Each place where the result is not as expected, and each call that was answered against the record. */
  readonly differences: readonly string[];
}

/** Replays a simulation in a folder of its own, which is removed afterwards, and compares. */
export async function runSimulation(
  simulation: Simulation,
  { inProcess }: { inProcess: boolean },
): Promise<SimulationReport> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-sim-"));
  try {
    return await runSimulationIn(folder, simulation, { inProcess });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same in a folder that stays; its log is the same to the byte however often and wherever it is replayed. */
export async function runSimulationIn(
  folder: string,
  simulation: Simulation,
  { inProcess }: { inProcess: boolean },
): Promise<SimulationReport> {
  const path = join(folder, "ralph.db");
  mkdirSync(folder, { recursive: true });
  createLogFile(logPathBeside(path));
  const clock = replayClock(join(folder, "replay"), simulation.id);
  const store = openStore(path, replayEnvironment(simulation.id, clock.now));
  try {
    const connect = inProcess ? inProcessAgents(store) : processAgents(path, clock.file);
    const { outcome, surprises } = await replay(simulation, store, connect, clock.advance);
    const found = [...surprises, ...differences(simulation.expected, outcome)];
    return { id: simulation.id, ok: found.length === 0, result: outcome, differences: found };
  } finally {
    await closeStore(store);
  }
}

/** 2026-01-01T00:00:00Z, where the time of every replay begins. */
const REPLAY_START = 1_767_225_600_000_000;

/** A clock that stands still until it is advanced, and a file by which server processes read it (environment.ts). */
export function replayClock(file: string, seed: string) {
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
