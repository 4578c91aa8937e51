import { createPostgresLog } from "../../adapters/postgres/create-log.ts";
import { openPostgresLog } from "../../adapters/postgres/postgres-log.ts";
import { decide } from "../../src/decisions/decide.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import type { EventLog } from "../../src/events/log.ts";
import { createDiscipline } from "../../src/operations/disciplines.ts";
import { createFeature } from "../../src/operations/features.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { type Cluster, startCluster } from "../../test/support/postgres/cluster.ts";
import { type Child, sharedClock_ms } from "./child.ts";
import { median } from "./measure.ts";

/** Servers on this machine for a bench, with two synchronous standbys. */
export interface Fleet {
  readonly cluster: Cluster;
  /** The URL of a new, empty log. */
  newLog(): Promise<string>;
  /** Opens a log, which is closed at the end. */
  open(url: string): Promise<EventLog>;
}

/** Starts the servers, and ends them when `use` has ended. */
export async function withFleet<T>(use: (fleet: Fleet) => Promise<T>): Promise<T> {
  const cluster = await startCluster({ standbys: 2, synchronous: "ANY 1" });
  const opened: EventLog[] = [];
  let logs = 0;
  try {
    return await use({
      cluster,
      async newLog() {
        const url = `${cluster.url}?schema=bench_${++logs}`;
        await createPostgresLog(url);
        return url;
      },
      async open(url) {
        const log = await openPostgresLog(url, systemEnvironment());
        opened.push(log);
        return log;
      },
    });
  } finally {
    await Promise.all(opened.map((log) => log.close()));
    await cluster.stop();
  }
}

/** Makes tasks 1 to `count`. */
export async function createTasks(log: EventLog, count: number): Promise<void> {
  const store = { log, readModel: new ReadModel(":memory:"), environment: systemEnvironment() };
  const human = { actor: "human" };
  await decide(store, createFeature({ name: "general" }), human);
  await decide(store, createDiscipline({ name: "general" }), human);
  for (let task = 1; task <= count; task++) await decide(store, createTask({ title: `Task ${task}` }), human);
  store.readModel.close();
}

/** Starts processes, and ends them when `use` has ended. */
export async function withChildren<T>(
  starting: readonly Promise<Child>[],
  use: (children: readonly Child[]) => Promise<T>,
): Promise<T> {
  const children = await Promise.all(starting);
  try {
    return await use(children);
  } finally {
    await Promise.all(children.map((child) => child.end()));
  }
}

/** Lets writers append at once, and tells how many appends a second were acknowledged. */
export async function rateOf(
  writers: readonly Child[],
  what: "append" | "locked" | "bare",
  { handles, for_ms }: { readonly handles: number; readonly for_ms: number },
): Promise<number> {
  const start_ms = sharedClock_ms() + 50;
  const loads = writers.map((writer) => writer.ask<number[]>(what, { handles, start_ms, for_ms }));
  const all = (await Promise.all(loads)).flat();
  return (all.length * 1_000) / for_ms;
}

/** The medians of two sides that run A B, B A, … */
export async function byTurns(
  rounds: number,
  one: () => Promise<number>,
  other: () => Promise<number>,
): Promise<readonly [one: number, other: number]> {
  const [ones, others]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) ones.push(await one());
    others.push(await other());
    if (round % 2 === 1) ones.push(await one());
  }
  return [median(ones), median(others)];
}
