import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { decide } from "../../src/decisions/decide.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { pauseWork, resumeWork, stopLoop } from "../../src/operations/work.ts";
import { type Child, useBundle } from "../children.ts";
import { coded } from "../support/refusal.ts";
import { givenLoop, statuses } from "./given-loop.ts";
import { type Act, works } from "./script.ts";

/* Catches: a driver that starts a session while work is paused, one that ends over it, an agent that the pause stops, a pause that is over for some alone. */

const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

test("while work is paused no driver starts a session and those that run go on; once it is resumed, the same drivers go on", async () => {
  const go = ".ralph/go";
  const first: readonly Act[] = [{ init: "connected" }, { until: go }, ...works().slice(1)];
  const loop = await givenLoop(agent, {
    tasks: [{ title: "Export" }, { title: "Mail" }, { title: "Print" }],
    acts: { 1: [first] },
    others: [works()],
  });
  const drivers = [loop.start()];
  for (const driver of drivers) await untilStep(driver, "agent_started");
  await loop.project.decide(pauseWork({ reason: "a new schema" }));
  drivers.push(loop.start());
  writeFileSync(loop.path(go), "");
  for (const driver of drivers) {
    expect(await untilStep(driver, "work_paused")).toMatchObject({ actor: "human", reason: "a new schema" });
  }
  expect(await statuses(loop.project)).toEqual({ 1: "done", 2: "pending", 3: "pending" });
  expect(await loop.project.queries.nextTask()).toBeUndefined();
  await expect(loop.project.decide(startSession({ task: 2, session: "s-2" }))).rejects.toMatchObject(
    coded("paused", "(a new schema): no session starts until `signalbox work resume`"),
  );
  await loop.project.decide(startSession({ task: 3, session: "s-3", force: true }));
  expect(loop.started().map(({ task }) => task)).toEqual([1]);

  await loop.project.decide(resumeWork({}));
  for (const driver of drivers)
    expect(await untilStep(driver, "loop_stopped")).toMatchObject({ ending: "nothing_ready" });
  expect(await statuses(loop.project)).toEqual({ 1: "done", 2: "done", 3: "in_progress" });
});

test("work that is paused is not paused again, nor resumed twice, nor by an agent", async () => {
  const { project } = await givenLoop(agent, { tasks: [{ title: "Export" }] });
  await expect(project.decide(resumeWork({}))).rejects.toMatchObject({ code: "nothing_to_do" });
  await expect(decide(project.store, pauseWork({}), { actor: "agent" })).rejects.toMatchObject({
    code: "not_possible",
  });
  await project.decide(pauseWork({}));
  await expect(project.decide(pauseWork({ reason: "again" }))).rejects.toMatchObject({
    code: "nothing_to_do",
  });
  await project.decide(resumeWork({}));
  expect(await project.queries.workPause()).toBeUndefined();
  expect((await project.queries.nextTask())?.id).toBe(1);
});

test("a driver that is asked to stop ends after the sessions that run, and tells whose wish it was", async () => {
  const go = ".ralph/go";
  const first: readonly Act[] = [{ init: "connected" }, { until: go }, ...works().slice(1)];
  const loop = await givenLoop(agent, {
    tasks: [{ title: "Export" }, { title: "Mail" }],
    acts: { 1: [first] },
    others: [works()],
  });
  const driver = loop.start();
  await untilStep(driver, "agent_started");
  const [{ driver: name } = { driver: "" }] = (await loop.project.queries.overview("")).loops;
  await loop.project.decide(stopLoop({ driver: name, reason: "a release" }));
  await untilStep(driver, "stopping");
  writeFileSync(loop.path(go), "");
  expect(await untilStep(driver, "loop_stopped")).toMatchObject({
    ...{ ending: "signal", reason: "human asked it to stop: a release", sessions: 1 },
  });
  await driver.finish();
  expect(await statuses(loop.project)).toEqual({ 1: "done", 2: "pending" });
  await expect(loop.project.decide(stopLoop({ driver: name }))).rejects.toMatchObject({
    code: "nothing_to_do",
  });
  await expect(loop.project.decide(stopLoop({ driver: "d-0" }))).rejects.toMatchObject({ code: "not_found" });
});

async function untilStep(driver: Child, step: string): Promise<object> {
  for (;;) {
    const line = JSON.parse(await driver.says());
    if (line.step === step) return line;
  }
}
