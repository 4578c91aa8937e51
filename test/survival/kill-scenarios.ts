import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../events/given.ts";
import { copyProject } from "../support/project.ts";
import { type Acknowledged, closedProject, unfinishedProject } from "./prepared-projects.ts";
import {
  filesOfLog,
  filesOfReadModel,
  LOCKS,
  recordCalls,
  SHAPES,
  SYNCS,
  type SystemCall,
  spreadOver,
  startKilledAt,
  WRITES,
} from "./system-calls.ts";

/** A state of a project's files from which the child works, and the calls that it makes from there. */
export interface Scenario {
  readonly name: string;
  /** Copies the files to a folder and gives the path of the read model there. */
  copyTo(folder: string): string;
  /** The child's arguments after the path of its script. */
  script(readModelPath: string): readonly string[];
  /** The batches that were acknowledged before. */
  readonly acknowledged: ReadonlyMap<string, readonly number[]>;
  readonly calls: readonly SystemCall[];
}

/** What a child that was killed has left: what it had acknowledged, and whether the kill reached it. */
export interface Killed {
  readonly killed: boolean;
  readonly acknowledged: ReadonlyMap<string, readonly number[]>;
}

/** Kinds of calls, in the order in which the points take turns. */
export const CALL_KINDS = [WRITES, SYNCS, SHAPES, WRITES, LOCKS];
const NAMES = [...WRITES, ...SYNCS, ...SHAPES, ...LOCKS];

type Prepare = (readModelPath: string) => Promise<Acknowledged>;

const emptyFolder: Prepare = async () => new Map();

/** Where each scenario starts. With `init` the child also makes the log, and so deletes the WAL when it is done. */
const STARTS: readonly { readonly name: string; readonly init: boolean; readonly prepare: Prepare }[] = [
  { name: "a fresh project", init: true, prepare: emptyFolder },
  { name: "a project with history", init: false, prepare: closedProject },
  { name: "a checkpoint", init: false, prepare: (path) => unfinishedProject(path, 975) },
  { name: "a close", init: true, prepare: (path) => unfinishedProject(path, 300) },
];

/** Where the kills happen that leave the wrecks for the scenario of recovery: numbers of STARTS, a checkpoint's most often. */
const WRECKED = [2, 3, 2, 0, 2];

/** Those of STARTS, and last that of recovery. */
export const SCENARIOS = STARTS.length + 1;

/** Makes each scenario when it is asked for first. */
export class Scenarios {
  readonly #folder = temporaryFolder();
  readonly #script: string;
  readonly #made = new Map<string, Promise<Scenario>>();

  /** @param script the bundled `work-on-store` */
  constructor(script: string) {
    this.#script = script;
  }

  /** The scenario of this number; that of recovery takes its wreck by `k`. */
  scenario(number: number, k: number): Promise<Scenario> {
    const start = STARTS[number];
    const wreck = k % WRECKED.length;
    if (!start) return this.#once(`wreck ${wreck}`, (name) => this.#wreck(name, wreck));
    return this.#once(start.name, async (name) => {
      const path = this.#pathIn(name);
      return this.#record(name, "work", start.init, await start.prepare(path));
    });
  }

  remove(): void {
    this.#folder.remove();
  }

  #once(name: string, make: (name: string) => Promise<Scenario>): Promise<Scenario> {
    let made = this.#made.get(name);
    if (!made) {
      made = make(name);
      this.#made.set(name, made);
    }
    return made;
  }

  /** What a kill leaves behind; from there another child goes on. */
  async #wreck(name: string, wreck: number): Promise<Scenario> {
    const before = await this.scenario(WRECKED[wreck] ?? 0, 0);
    const path = before.copyTo(this.#folderOf(name));
    const calls = before.calls.filter((call) => [...WRITES, ...SYNCS, ...SHAPES].includes(call.name));
    const call = calls[spreadOver(calls.length, wreck + 1)];
    if (!call) throw new Error(`${before.name}: there is no call to be killed at.`);
    const trace = join(this.#folder.path, `${name}, kill.trace`);
    const { killed, acknowledged } = await killAt(before, path, call, trace);
    if (!killed) throw new Error(`${before.name}: the child was not killed at ${call.name} ${call.nth}.`);
    return this.#record(name, "recovery", before.name === STARTS[0]?.name, acknowledged);
  }

  async #record(name: string, label: string, init: boolean, acknowledged: Acknowledged): Promise<Scenario> {
    const folder = this.#folderOf(name);
    const copyTo = (target: string) => {
      copyProject(folder, target);
      return join(target, "ralph.db");
    };
    const script = (path: string) => [this.#script, path, label, ...(init ? ["--init"] : [])];
    const path = copyTo(join(this.#folder.path, `${name}, recorded`));
    const trace = join(this.#folder.path, `${name}.trace`);
    const calls = await recordCalls(NAMES, filesOf(path), trace, script(path));
    return { name, copyTo, script, acknowledged, calls };
  }

  #pathIn(name: string): string {
    mkdirSync(this.#folderOf(name));
    return join(this.#folderOf(name), "ralph.db");
  }

  #folderOf(name: string): string {
    return join(this.#folder.path, name);
  }
}

/** Runs the child of a scenario in files at `path`, and kills it as it enters a call. */
export async function killAt(
  scenario: Scenario,
  path: string,
  call: SystemCall,
  tracePath: string,
): Promise<Killed> {
  const child = startKilledAt(call, filesOf(path), tracePath, scenario.script(path));
  const closed = once(child.process, "close");
  const acknowledged = new Map(scenario.acknowledged);
  for await (const line of child.lines) acknowledged.set(...answerOf(line));
  await closed;
  // strace ends by the signal that ended what it traced.
  return { killed: child.process.signalCode === "SIGKILL", acknowledged };
}

function filesOf(readModelPath: string): string[] {
  return [...filesOfLog(readModelPath), ...filesOfReadModel(readModelPath)];
}

function answerOf(line: string): [string, number[]] {
  const [batch, positions]: [string, number[]] = JSON.parse(line);
  return [batch, positions];
}
