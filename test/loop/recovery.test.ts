import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { setPolicy } from "../../src/operations/policies.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { useBundle } from "../children.ts";
import { everythingIn } from "../events/given.ts";
import { type GivenLoop, givenLoop, statuses, stepsOf } from "./given-loop.ts";
import type { Act } from "./script.ts";

/*
 * A driver that dies. Catches: a claim that is never given back, an agent that goes on beside the next one of its task, a
 * session that is ended twice, a report that was acknowledged and is not in the log.
 */
const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

const KILLS = 20;
const TASKS = 8;

test(`killed ${KILLS} times at random moments, a driver loses nothing, runs nothing twice, and the board agrees with the log`, async () => {
  const acts: Act[] = [
    { init: "connected" },
    { call: "learned", with: { text: "Rows come in chunks.", kind: "discovery" } },
    { wait_ms: 150 },
    { call: "done", with: { summary: "Done as asked." } },
    { result: {} },
  ];
  const loop = await givenLoop(agent, {
    tasks: Array.from({ length: TASKS }, (_, index) => ({ title: `Task ${index + 1}` })),
    others: [acts],
  });
  await loop.project.decide(setPolicy({ policy: "stuck_limit", value: 1_000 }));
  let kills = 0;
  for (; kills < KILLS; kills++) {
    // Where all are done, one is to be done again, so that every kill finds a driver at work.
    if (await nothingToDo(loop)) await doAgain(loop);
    const driver = loop.start("--jobs", String(1 + (kills % 2)));
    await delay(randomInt(50, 1_500));
    await driver.kill();
  }
  let { exitCode, steps } = await loop.run();
  // A task whose driver died three times in a row is held.
  while ((await heldTasks(loop)).length > 0) {
    for (const { id } of await heldTasks(loop)) await setPending(loop, id);
    ({ exitCode, steps } = await loop.run());
  }
  expect(exitCode).toBe(0);
  expect(stepsOf(steps, "loop_stopped")).toMatchObject([{ ending: "nothing_ready" }]);

  expect(loop.twice()).toEqual([]);
  expect(Object.values(await statuses(loop.project))).toEqual(Array(TASKS).fill("done"));
  const events = await everythingIn(loop.project.log);
  const of = (type: string) =>
    events.flatMap(({ type: is, payload }) =>
      is === type ? [(payload as { session: string }).session] : [],
    );
  expect(of("session.ended").sort()).toEqual(of("session.started").sort());
  const started = new Set(of("session.started"));
  for (const { session } of loop.started()) expect(started).toContain(session);
  await agreesWithLog(loop);
});

test("the agent of a driver that died is ended before its task is worked on again", async () => {
  const loop = await givenLoop(agent, {
    tasks: [{ title: "Export" }],
    acts: {
      1: [
        [{ init: "connected" }, { wait_ms: 60_000 }],
        [{ init: "connected" }, { call: "done", with: { summary: "Done." } }, { result: {} }],
      ],
    },
  });
  const driver = loop.start();
  // From then on it prints nothing that could fail for want of a reader.
  while ((await loop.project.queries.sql("SELECT 1 FROM agents")).length === 0) await delay(20);
  await driver.kill();
  const [orphan] = loop.started();
  const { steps } = await loop.run();
  expect(stepsOf(steps, "recovered")).toMatchObject([{ session: orphan?.session, task: 1, agent_ran: true }]);
  expect(await loop.project.queries.sessions()).toMatchObject([
    {
      exit: "cancelled",
      cause: "driver",
      closing: null,
      inferred: 0,
      end_reason: expect.stringMatching(/its driver d-\S+ was gone/),
    },
    { exit: "exited", closing: "done" },
  ]);
  expect(loop.twice()).toEqual([]);
});

test("reports of a dead driver's agent count, and its done stands", async () => {
  const loop = await givenLoop(agent, {
    tasks: [{ title: "Export" }],
    others: [[{ init: "connected" }, { call: "done", with: { summary: "Done." } }, { wait_ms: 60_000 }]],
  });
  const driver = loop.start();
  while ((await loop.project.queries.sql("SELECT 1 FROM signals")).length === 0) await delay(20);
  await driver.kill();
  const { steps } = await loop.run();
  expect(stepsOf(steps, "recovered")).toHaveLength(1);
  expect(await statuses(loop.project)).toEqual({ 1: "done" });
});

test("sessions of a driver that lives, and sessions without one, are left alone", async () => {
  const loop = await givenLoop(agent, {
    tasks: [{ title: "By hand" }, { title: "Export" }],
    others: [
      [{ init: "connected" }, { wait_ms: 800 }, { call: "done", with: { summary: "Done." } }, { result: {} }],
    ],
  });
  const { startSession } = await import("../../src/operations/sessions.ts");
  await loop.project.decide(startSession({ task: 1, session: "by-hand" }));
  const first = loop.run();
  while (loop.started().length === 0) await delay(20);
  const second = await loop.run();
  expect(stepsOf(second.steps, "recovered")).toEqual([]);
  expect((await first).exitCode).toBe(0);
  expect(await statuses(loop.project)).toEqual({ 1: "in_progress", 2: "done" });
});

test("three kills of its driver leave a task pending, stuck 0, and held until a human lets it start again", async () => {
  const loop = await givenLoop(agent, {
    tasks: [{ title: "Export" }],
    acts: {
      1: [
        ...Array.from({ length: 3 }, (): Act[] => [{ init: "connected" }, { wait_ms: 60_000 }]),
        [{ init: "connected" }, { call: "done", with: { summary: "Done." } }, { result: {} }],
      ],
    },
  });
  const { queries } = loop.project;
  for (let kills = 1; kills <= 3; kills++) {
    const driver = loop.start();
    while ((await queries.sql("SELECT 1 FROM agents")).length < kills) await delay(20);
    await driver.kill();
  }
  const held = await loop.run();
  expect(stepsOf(held.steps, "recovered")).toMatchObject([{ task: 1 }]);
  expect(stepsOf(held.steps, "loop_stopped")).toMatchObject([
    { ending: "nothing_ready", sessions: 0, reason: expect.stringMatching(/3 cancelled sessions in a row/) },
  ]);
  expect(await queries.taskRow(1)).toMatchObject({
    ...{ status: "pending", stuck_count: 0, inferred_stucks: 0, sessions: 3, ready: false },
  });
  expect(await queries.nextTask()).toBeUndefined();
  expect(await queries.inbox()).toMatchObject([
    {
      kind: "hold",
      task: 1,
      text: expect.stringMatching(/^3 sessions in a row .* its driver d-\S+ was gone/),
    },
  ]);
  await setPending(loop, 1);
  await loop.run();
  expect(await statuses(loop.project)).toEqual({ 1: "done" });
});

async function nothingToDo({ project }: GivenLoop): Promise<boolean> {
  return (await project.queries.tasks()).every(({ status, held_at }) => status === "done" || held_at > 0);
}

async function heldTasks({ project }: GivenLoop) {
  return (await project.queries.tasks()).filter(({ held_at }) => held_at > 0);
}

async function doAgain(loop: GivenLoop): Promise<void> {
  for (const { id } of await loop.project.queries.tasks()) await setPending(loop, id);
}

async function setPending({ project }: GivenLoop, task: number): Promise<void> {
  const { setTaskStatus } = await import("../../src/operations/task-status.ts");
  await project.decide(setTaskStatus({ task, status: "pending" }));
}

async function agreesWithLog({ project }: GivenLoop): Promise<void> {
  await project.queries.taskCounts();
  const fresh = new ReadModel(":memory:");
  await catchUp(fresh, project.log);
  expect(project.store.readModel.contentHash()).toBe(fresh.contentHash());
  fresh.close();
}
