import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { setPolicy } from "../../src/decisions/policies.ts";
import { ReadModel } from "../../src/projections/read-model.ts";
import { catchUp } from "../../src/projections/worker.ts";
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
    if (Object.values(await statuses(loop.project)).every((status) => status === "done")) await doAgain(loop);
    const driver = loop.start("--jobs", String(1 + (kills % 2)));
    await delay(randomInt(50, 1_500));
    await driver.kill();
  }
  const { exitCode, steps } = await loop.run();
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

test("what the agent of a driver that died has reported counts, and its done stands", async () => {
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
  const { startSession } = await import("../../src/decisions/sessions.ts");
  await loop.project.decide(startSession({ task: 1, session: "by-hand" }));
  const first = loop.run();
  while (loop.started().length === 0) await delay(20);
  const second = await loop.run();
  expect(stepsOf(second.steps, "recovered")).toEqual([]);
  expect((await first).exitCode).toBe(0);
  expect(await statuses(loop.project)).toEqual({ 1: "in_progress", 2: "done" });
});

async function doAgain({ project }: GivenLoop): Promise<void> {
  const { setTaskStatus } = await import("../../src/decisions/tasks.ts");
  for (const { id } of await project.queries.tasks())
    await project.decide(setTaskStatus({ task: id, status: "pending" }));
}

async function agreesWithLog({ project }: GivenLoop): Promise<void> {
  await project.queries.taskCounts();
  const fresh = new ReadModel(":memory:");
  await catchUp(fresh, project.log);
  expect(project.store.readModel.contentHash()).toBe(fresh.contentHash());
  fresh.close();
}
