// @module-tag postgresql-standbys
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openProject } from "../../src/api/project.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import type { EventLog } from "../../src/events/log.ts";
import { openLog } from "../../src/events/open-log.ts";
import type { Event } from "../../src/events/types/index.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { comments, everythingIn } from "../events/given.ts";
import { signalboxJson } from "../support/cli.ts";
import { until } from "../support/postgres/ask.ts";
import { ExampleFleet } from "../support/postgres/example-fleet.ts";
import { freshFolder } from "../support/project.ts";

/* Catches: an example that does not start, a drill that does not work, a server that comes back beside its successor. */

const WORKERS = ["worker1", "worker2", "worker3"];
const TASKS = 9;

test("the example's workers finish their tasks over the death of its primary, each once, and nothing acknowledged is lost", async () => {
  const repository = givenRepository();
  const fleet = await ExampleFleet.given({ REPOSITORY: repository });
  await fleet.startServers();
  const workers = WORKERS.map((name) => fleet.start(name));
  const project = { cwd: fleet.projectOf("worker1") };
  await until("all workers work", () => WORKERS.every((name) => fleet.wrote(name).includes("loop started")));
  await expectOwnLoginOnly(fleet, "worker1");
  const { decide, log } = await projectOf(fleet, "worker1");
  for (let task = 1; task <= TASKS; task++) await decide(createTask({ title: `Task ${task}` }));
  const told = tell(log);
  await until("tasks are done", async () => donesOf(await everythingIn(log)).length >= 2);

  await fleet.kill("db1");
  await fleet.works("operator", "promote");
  await until("all tasks are done", async () => donesOf(await everythingIn(log)).length >= TASKS);
  const acknowledged = await told.end();

  const events = await everythingIn(log);
  expect(events.map(({ position }) => position)).toEqual(events.map((_, index) => index + 1));
  expect(donesOf(events).toSorted((a, b) => a - b)).toEqual(Array.from({ length: TASKS }, (_, i) => i + 1));
  const ids = new Set(events.map(({ id }) => id));
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  expect(readFileSync(join(project.cwd, "README.md"), "utf8")).toBe("Shop\n");

  // The dead primary comes back: with its old data it would be a second one.
  const [code] = await once(fleet.start("db1"), "exit");
  expect(code).toBe(1);
  expect(fleet.wrote("db1")).toContain("Another server took the place of db1. Remove the data of db1");
  rmSync(fleet.dataOf("db1"), { recursive: true });
  fleet.start("db1");
  await until("db1 is a standby that is waited for", async () => {
    const { servers } = (await signalboxJson(["fleet", "status"], project)) as FleetStatus;
    return ["db1", "db3"].every((name) =>
      servers.facts?.standbys.some((one) => one.name === name && one.sync === "quorum"),
    );
  });
  await until("nothing is wrong with the fleet", async () => {
    const { servers, hosts } = (await signalboxJson(["fleet", "status"], project)) as FleetStatus;
    expect({ faults: servers.faults, epoch: servers.facts?.epoch }).toEqual({ faults: [], epoch: 1 });
    expect(hosts).toHaveLength(WORKERS.length);
    return true;
  });

  for (const worker of workers) worker.kill("SIGINT");
  expect(await Promise.all(workers.map(async (worker) => (await once(worker, "exit"))[0]))).toEqual([
    0, 0, 0,
  ]);
});

interface FleetStatus {
  readonly servers: {
    readonly faults: readonly object[];
    readonly facts: {
      readonly epoch: number;
      readonly standbys: readonly { readonly name: string; readonly sync: string }[];
    } | null;
  };
  readonly hosts: readonly object[];
}

/** A bare repository with one file. */
function givenRepository(): string {
  const [folder, bare] = [freshFolder(), freshFolder()];
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=Shop", "-c", "user.email=shop@example.com", ...args], {
      cwd: folder,
    });
  git("init", "-q");
  writeFileSync(join(folder, "README.md"), "Shop\n");
  git("add", ".");
  git("commit", "-qm", "Begin");
  git("clone", "-q", "--bare", folder, join(bare, "shop.git"));
  return join(bare, "shop.git");
}

async function projectOf(fleet: ExampleFleet, worker: string) {
  const project = await openProject(fleet.projectOf(worker));
  onTestFinished(() => project.close());
  return { log: project.log, decide: project.decide.bind(project) };
}

/** A certificate proves one login. */
async function expectOwnLoginOnly(fleet: ExampleFleet, worker: string): Promise<void> {
  const url = urlOf(fleet, worker);
  for (const other of ["worker2", "postgres", "replicator"]) {
    const opened = openLog({ url: url.replace(`${worker}@`, `${other}@`) }, systemEnvironment());
    await expect(opened).rejects.toThrow(/certificate authentication failed/);
  }
}

function urlOf(fleet: ExampleFleet, worker: string): string {
  return JSON.parse(readFileSync(join(fleet.projectOf(worker), ".ralph/config.json"), "utf8")).log.url;
}

/** The tasks that an agent called done, as often as one did. */
function donesOf(events: readonly Event[]): number[] {
  return events.flatMap((event) => (event.type === "signal.done" ? [event.payload.task] : []));
}

/** Appends one event after the other until it is ended, and keeps the ids of those that were acknowledged. */
function tell(log: EventLog): { end(): Promise<readonly string[]> } {
  const acknowledged: string[] = [];
  let isOver = false;
  const telling = (async () => {
    while (!isOver) {
      const { events } = await log.append(comments(1));
      acknowledged.push(...events.map(({ id }) => id));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  return {
    async end() {
      isOver = true;
      await telling;
      return acknowledged;
    },
  };
}
