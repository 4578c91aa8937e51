// @module-tag linux
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { initProject, type Project, readModelPathIn } from "../../src/api/project.ts";
import { startGateRun } from "../../src/decisions/rules/gate-runs.ts";
import { recordSignal } from "../../src/decisions/rules/reports.ts";
import { identityOf } from "../../src/lib/processes/identity.ts";
import { declareLost, requireSilent } from "../../src/loop/drivers/hosts.ts";
import { recover } from "../../src/loop/drivers/recovery.ts";
import type { Step } from "../../src/loop/steps.ts";
import { startSessionOn } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { viewHosts } from "../../src/outside/fleet/hosts.ts";
import { type Child, useChild } from "../children.ts";
import { everythingIn } from "../events/given.ts";
import { freshFolder } from "../support/project.ts";
import { cutOff, moveClock, openOn } from "./shared-log.ts";

/*
 * Catches: a host that takes another one's drivers for dead, a session that is ended twice, agents of two hosts on one task.
 */
const startLoop = useChild("test/loop/children/host-loop.ts");

const SILENCE_MS = 60_000;

test("two hosts, one dead: its sessions are ended once, and only after it is declared lost", async () => {
  const fleet = await givenFleet();
  const [a, b, c] = [fleet.host(), fleet.host(), fleet.host()];
  const loop = a.run();
  await fleet.agents(1);
  await loop.kill();
  // One that nobody watches, and a gate, on the same host.
  await a.project.decide(startSessionOn(a.project.store.ownHost?.(), { task: 2, session: "by-hand" }));
  const runner = { ...identityOf(process.pid), pid: 1, mark: "0190a6c2-7a34-7c1e-8d52-3f9b6f0a4e11" };
  await a.project.decide(
    startGateRun({
      task: 2,
      gate: 1,
      baseline: false,
      host: a.id,
      runner: JSON.parse(JSON.stringify(runner)),
    }),
  );
  const open = await fleet.openSessions();
  expect(open).toHaveLength(2);

  for (const [ms, state] of [
    [SILENCE_MS - 30_000, "alive"],
    [3_600_000, "suspect"],
  ] as const) {
    moveClock(fleet.shared, ms);
    const [seen] = (await viewHosts(b.project.store, SILENCE_MS)).filter(({ host }) => host === a.id);
    expect(seen).toMatchObject({
      state,
      sessions: expect.arrayContaining(open.map((session) => expect.objectContaining({ session }))),
      gate_runs: [expect.any(Number)],
    });
    if (seen && state === "alive") {
      expect(() => requireSilent(seen, false)).toThrow(/gave a sign of life \d+ s ago/);
      requireSilent(seen, true);
    } else if (seen) requireSilent(seen, false);
    expect(await recover(b.project, b.db)).toEqual([]);
    expect(await fleet.openSessions()).toEqual(open);
  }
  expect(await b.project.queries.openGateRuns()).toHaveLength(1);

  const view = { host: a.id, epoch: 1 };
  await Promise.all([b, c].map(({ project, db }) => declareLost(project, db, view)));
  expect(await stateOf(b.project, a.id)).toBe("lost");
  const events = await everythingIn(fleet.human.log);
  const of = (type: string) => events.filter((event) => event.type === type);
  expect(of("host.lost")).toMatchObject([{ payload: view, stream: `host-${a.id}` }]);
  expect(of("session.ended").map(({ payload }) => payload)).toEqual(
    expect.arrayContaining(
      open.map((session) =>
        expect.objectContaining({
          ...{ session, exit: "cancelled", cause: "driver" },
          reason: `its host ${a.id} was declared lost`,
        }),
      ),
    ),
  );
  expect(of("session.ended")).toHaveLength(2);
  expect(of("gate.attempted")).toMatchObject([{ payload: { task: 2, gate: 1, interrupted: true } }]);
  expect(await fleet.statuses()).toEqual(["pending", "pending"]);

  // What its agent reports now is late.
  const [session = ""] = open;
  const reporter = { task: 1, session, actor: "agent" };
  await recordSignal(a.project.store, reporter, {
    ...{ verb: "done", args: { summary: "Done." } },
    id: a.project.store.environment.newId(),
  });
  expect(await fleet.statuses()).toEqual(["pending", "pending"]);
  expect(await fleet.human.queries.session(session)).toMatchObject({ outcome: "cancelled", late: 1 });

  // It comes back: what it starts is of the next epoch, and nobody ends it.
  const [orphan] = await fleet.agents(1);
  a.run();
  const [, next] = await fleet.agents(2);
  await expect.poll(() => stateOf(b.project, a.id)).toBe("alive");
  expect(isRunning(orphan)).toBe(false);
  expect(await recover(b.project, b.db)).toEqual([]);
  expect(isRunning(next)).toBe(true);
  expect((await fleet.human.queries.hosts()).find(({ host }) => host === a.id)).toMatchObject({ epoch: 2 });
});

test("a host that is cut off ends its agents before others may begin", async () => {
  const fleet = await givenFleet();
  const [a, b] = [fleet.host(), fleet.host()];
  await fleet.human.decide(startSessionOn(undefined, { task: 2, session: "by-hand" }));
  const first = a.run();
  const [agent] = await fleet.agents(1);
  const second = b.run({ fleet: { recover: "auto" } });
  await comes(second, ({ step }) => step === "waiting");

  cutOff(a.folder, true);
  moveClock(fleet.shared, SILENCE_MS - 15_000);
  await comes(first, (step) => step.step === "fenced" && step.why !== null);
  await expect.poll(() => isRunning(agent)).toBe(false);
  // The other host could not have begun by then, nor has it.
  expect(await stateOf(b.project, a.id)).toBe("alive");
  expect(await lossesIn(fleet.human)).toBe(0);
  expect(await fleet.agents(1)).toHaveLength(1);

  moveClock(fleet.shared, 15_000);
  await comes(second, (step) => step.step === "recovered" && step.host_lost);
  await fleet.agents(2);
  expect(await lossesIn(fleet.human)).toBe(1);

  cutOff(a.folder, false);
  await comes(first, (step) => step.step === "fenced" && step.why === null);
  await expect.poll(() => epochOf(b.project, a.id)).toBe(2);
  const ends = (await everythingIn(fleet.human.log)).filter(({ type }) => type === "session.ended");
  expect(ends).toMatchObject([{ payload: { exit: "cancelled", cause: "driver" } }]);
});

test("a host whose sign of life is refused ends its agents, and goes on in its next epoch", async () => {
  const fleet = await givenFleet();
  const [a, b] = [fleet.host(), fleet.host()];
  await fleet.human.decide(startSessionOn(undefined, { task: 2, session: "by-hand" }));
  const loop = a.run();
  const [agent] = await fleet.agents(1);
  await declareLost(b.project, b.db, { host: a.id, epoch: 1 });
  moveClock(fleet.shared, 5_000);
  await comes(loop, (step) => step.step === "fenced" && step.why === "its host was declared lost");
  await expect.poll(() => isRunning(agent)).toBe(false);
  moveClock(fleet.shared, 5_000);
  await comes(loop, (step) => step.step === "fenced" && step.why === null);
  await fleet.agents(2);
  expect(await epochOf(b.project, a.id)).toBe(2);
});

/** A project with two tasks on a log that hosts share; an agent waits until it is ended. */
async function givenFleet() {
  const shared = freshFolder();
  await initProject(shared);
  const agents = join(shared, "agents");
  const script = join(shared, "agent.sh");
  writeFileSync(script, `echo $$ >> '${agents}'\nexec sleep 600\n`);
  const config = { agent: "sh", agents: { sh: { kind: "command", command: `sh '${script}'` } } };
  const open = (folder: string) => {
    const project = openOn(folder, shared);
    onTestFinished(() => project.close());
    return project;
  };
  const human = open(freshFolder());
  await human.decide(createTask({ title: "Export" }));
  await human.decide(createTask({ title: "Import", gates: [{ command: "true", max: 5, timeout_s: 300 }] }));
  const pids = () => (existsSync(agents) ? readFileSync(agents, "utf8").trim().split("\n").map(Number) : []);
  onTestFinished(() => {
    for (const pid of pids().filter(isRunning)) process.kill(pid, "SIGKILL");
  });
  return {
    shared,
    human,
    host() {
      const folder = freshFolder();
      const project = open(folder);
      return {
        ...{ folder, project, db: readModelPathIn(folder), id: project.store.ownHost?.().host ?? "" },
        run: (more: object = {}) => startLoop(folder, shared, JSON.stringify({ ...config, ...more })),
      };
    },
    /** The process numbers of the agents that were started, once there are so many. */
    async agents(count: number): Promise<readonly number[]> {
      await expect.poll(() => pids().length).toBeGreaterThanOrEqual(count);
      return pids();
    },
    async openSessions() {
      return (await human.queries.sessions({ open: true })).map(({ id }) => id).sort();
    },
    statuses: async () => (await human.queries.tasks()).map(({ status }) => status),
  };
}

async function stateOf(project: Project, host: string) {
  return (await viewHosts(project.store, SILENCE_MS)).find((view) => view.host === host)?.state;
}

async function epochOf(project: Project, host: string) {
  return (await project.log.hosts?.list())?.find((sign) => sign.host === host)?.epoch;
}

async function lossesIn({ log }: Project): Promise<number> {
  return (await everythingIn(log)).filter(({ type }) => type === "host.lost").length;
}

/** Reads a loop's steps up to one. */
async function comes({ lines }: Child, is: (step: Step) => boolean): Promise<void> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error("The loop ended before that step.");
    if (is(JSON.parse(value))) return;
  }
}

/** A process that is dead and waits to be collected does not count. */
function isRunning(pid = 0): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
