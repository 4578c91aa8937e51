import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listDrivers } from "../../src/loop/drivers/registry.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { statuses } from "../loop/given-loop.ts";
import { freshProject, givenConfig, writeConfig } from "../support/project.ts";
import { actOn, ask, cookieOf } from "./support/ask.ts";
import { freshPanel, usePanels } from "./support/panel.ts";
import { endsLoops } from "./support/started-loops.ts";

usePanels();

async function given(config: object = { agent: "pretend" }) {
  const { project, folder, db } = await freshProject();
  givenConfig(folder, config);
  endsLoops(db);
  const { panel } = await freshPanel({ project });
  const startsOf = async () =>
    (await project.log.read(0, 1_000)).filter(({ type }) => type === "loop.started").length;
  const loops = async () => {
    const told = await ask(panel, "/api/loop", { headers: { cookie: await cookieOf(panel) } });
    return JSON.parse(told.body).answer;
  };
  return { project, folder, db, panel, startsOf, loops };
}

test("two requests with one key, and a third one later, start one loop, which does the tasks and stops when asked", async () => {
  const { project, folder, db, panel, startsOf, loops } = await given({
    agent: "pretend",
    budget: { usd: 5 },
  });
  await project.decide(createTask({ title: "Lay the points" }));
  const key = crypto.randomUUID();
  const start = () => actOn(panel, "start_loop", { jobs: 3 }, {}, key);
  const both = await Promise.all([start(), start()]);
  const answers = [...both, await start()].map(({ status, body }) => ({ status, ...JSON.parse(body) }));
  const [{ driver, output }] = answers;
  expect(answers[0]).toMatchObject({ status: 200, type: "loop.started", position: expect.any(Number) });
  expect(answers).toEqual([answers[0], answers[0], answers[0]]);
  expect(await startsOf()).toBe(1);
  await expect.poll(() => listDrivers(db)).toMatchObject([{ driver, alive: true }]);
  expect(await loops()).toMatchObject({
    loops: [{ driver, agent: "pretend", jobs: 3, sign: "alive", budget_micro_usd: 5_000_000 }],
    plan: { agent: "pretend", jobs: 1, budget: { usd: 5 } },
  });
  await expect.poll(() => statuses(project), { timeout: 60_000 }).toEqual({ 1: "done" });
  await expect.poll(() => readFileSync(join(folder, output), "utf8")).toContain("→ done");
  expect(await actOn(panel, "stop_loop", { driver, reason: "Enough." })).toMatchObject({ status: 200 });
  await expect
    .poll(async () => (await loops()).last, { timeout: 30_000 })
    .toMatchObject({
      driver,
      ending: "signal",
      reason: "human asked it to stop: Enough.",
    });
  expect(await loops()).toMatchObject({ loops: [] });
}, 120_000);

test("a loop that started is answered and runs, though the panel's tables lag behind the log", async () => {
  const { project, db, panel, startsOf } = await given();
  await project.queries.tasks();
  project.store.readModel.database.exec("UPDATE projections SET state = 'stopped' WHERE name = 'loops'");
  const told = await actOn(panel, "start_loop", {});
  expect(told).toMatchObject({ status: 200, body: expect.stringContaining('"loop.started"') });
  const { driver } = JSON.parse(told.body);
  await expect.poll(() => listDrivers(db)).toMatchObject([{ driver, alive: true }]);
  expect(await startsOf()).toBe(1);
});

test("a configuration that nobody has confirmed starts nothing, and the refusal names the command", async () => {
  const { folder, panel, startsOf, loops } = await given();
  writeConfig(folder, JSON.stringify({ agent: "claude" }));
  const told = await actOn(panel, "start_loop", {});
  expect(told).toMatchObject({ status: 409, body: expect.stringContaining("`signalbox config trust`") });
  expect((await loops()).plan.problem).toContain("`signalbox config trust`");
  expect(await startsOf()).toBe(0);
});

test("a loop that cannot start is answered with its own message and the file of its output", async () => {
  const { folder, db, panel, startsOf } = await given({
    agent: "pretend",
    relay: { group: "no-such-group" },
  });
  const told = await actOn(panel, "start_loop", {});
  expect(told.status).toBe(409);
  const { message } = JSON.parse(told.body).error;
  expect(message).toMatch(
    /^The loop could not start: .*no-such-group.*\. Its output is in \.ralph\/loops\/d-.+\.log\.$/,
  );
  const [, output = ""] = /in (\S+\.log)\.$/.exec(message) ?? [];
  expect(readFileSync(join(folder, output), "utf8")).toContain("no-such-group");
  expect(await startsOf()).toBe(0);
  expect(listDrivers(db)).toEqual([]);
});

test.each([
  [{ jobs: 0 }, "jobs"],
  [{ jobs: 101 }, "jobs"],
  [{ jobs: "2" }, "jobs"],
  [{ agent: "claude" }, "agent"],
])("a start with %j is refused with what is wrong", async (input, field) => {
  const { panel, startsOf } = await given();
  const told = await actOn(panel, "start_loop", input);
  expect(told).toMatchObject({ status: 400, body: expect.stringContaining(field) });
  expect(await startsOf()).toBe(0);
});

test("another site, a GET, a key that is none, and a panel that only shows start nothing", async () => {
  const { project, panel, startsOf } = await given();
  const foreign = await actOn(panel, "start_loop", {}, { origin: "http://evil.example" });
  expect(foreign.status).toBe(403);
  expect((await actOn(panel, "start_loop", {}, {}, "1")).status).toBe(400);
  const got = await ask(panel, "/api/acts/start_loop", { headers: { cookie: await cookieOf(panel) } });
  expect(got.status).toBe(405);
  const { panel: shown } = await freshPanel({ project, readOnly: true });
  expect(await actOn(shown, "start_loop", {})).toMatchObject({
    status: 403,
    body: expect.stringContaining("--read-only"),
  });
  expect(await startsOf()).toBe(0);
});
