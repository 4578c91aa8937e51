// @module-tag postgresql
import { expect, test } from "vitest";
import { createPostgresLog } from "../../adapters/postgres/create-log.ts";
import { decide } from "../../src/decisions/decide.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { createDiscipline } from "../../src/operations/disciplines.ts";
import { createFeature } from "../../src/operations/features.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { useChild } from "../children.ts";
import { everythingIn } from "../events/given.ts";
import { freshSchema } from "../support/postgres/given.ts";
import { givenHandles } from "./given-log.ts";

const claimTasks = useChild("test/postgres/children/claim-tasks.ts");

/** 64 read models on two cores reduce for minutes what a thousand tasks need: a third of them, if nobody asks for more. */
const TASKS = process.env.SIGNALBOX_LONG ? 1_000 : 300;

test("sixty-four drivers, a thousand tasks (300 without SIGNALBOX_LONG): each is claimed once", async () => {
  const url = freshSchema();
  await createPostgresLog(url);
  const [log] = await givenHandles(url, 1);
  if (!log) throw new Error("No handle.");
  const store = { log, readModel: new ReadModel(":memory:"), environment: systemEnvironment() };
  const human = { actor: "human" };
  await decide(store, createFeature({ name: "general" }), human);
  await decide(store, createDiscipline({ name: "general" }), human);
  for (let task = 1; task <= TASKS; task++) await decide(store, createTask({ title: `Task ${task}` }), human);
  store.readModel.close();

  const drivers = ["a", "b", "c", "d"].map((label) => claimTasks(url, label, "16", String(TASKS)));
  for (const driver of drivers) expect(await driver.says()).toBe("ready");
  for (const driver of drivers) driver.tell("begin");
  const said = (await Promise.all(drivers.map((driver) => driver.finish())))
    .flat()
    .map((line) => JSON.parse(line));

  const claims = said.filter(({ session }) => session).map(({ task, session }) => [task, session]);
  const byTask = (one: readonly unknown[], other: readonly unknown[]) => Number(one[0]) - Number(other[0]);
  expect(claims.map(([task]) => task).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: TASKS }, (_, i) => i + 1),
  );
  const events = await everythingIn(log);
  const started = events.flatMap(({ type, payload }) =>
    type === "session.started" && "session" in payload && "task" in payload
      ? [[payload.task, payload.session]]
      : [],
  );
  expect(started.toSorted(byTask)).toEqual(claims.toSorted(byTask));
  expect(said.filter(({ refused }) => refused && !["session_open", "not_ready"].includes(refused))).toEqual(
    [],
  );
});
