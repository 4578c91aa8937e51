import { expect, test } from "vitest";
import { createTask } from "../../src/operations/tasks.ts";
import { findTasks } from "../../src/queries/find-tasks.ts";
import { freshProject } from "../support/project.ts";
import { actOn } from "./support/ask.ts";
import { freshPanel, usePanels } from "./support/panel.ts";

usePanels();

test("a new task that is sent twice is one task, and the answer names it", async () => {
  const { project, panel } = await freshPanel();
  const key = crypto.randomUUID();
  const input = { title: "Lay the points", gates: ["npm test", ':: verify:"npm run lint" :fast'] };
  const [first, second] = await Promise.all([1, 2].map(() => actOn(panel, "create_task", input, {}, key)));
  expect(first?.status).toBe(200);
  expect(JSON.parse(first?.body ?? "")).toMatchObject({ type: "task.created", task: 1 });
  expect(second?.body).toBe(first?.body);
  const tasks = await project.queries.tasks();
  expect(tasks).toMatchObject([{ id: 1, status: "pending", ready: true, unapproved_gates: 0 }]);
});

test.each([
  ["a blank title", { title: " " }, 400, { title: "It is blank." }],
  ["no title", {}, 400, { title: "It is missing." }],
  ["an unknown feature", { title: "x", feature: "web" }, 404, { feature: /^There is no feature "web"/ }],
  ["an unknown dependency", { title: "x", depends_on: [9] }, 404, { depends_on: /^There is no task 9/ }],
  ["a wrong gate", { title: "x", gates: [":: verify:npm"] }, 409, { gates: /column 11:\n.*\n +\^\n/ }],
  ["a blank gate", { title: "x", gates: ["npm test", " "] }, 400, { gates: "It is blank." }],
  ["a criterion as a gate", { title: "x", gates: [':: "short"'] }, 409, { gates: /among the criteria/ }],
] as const)("%s is refused at its field", async (_, input, status, fields) => {
  const { project, panel } = await freshPanel();
  const told = await actOn(panel, "create_task", input);
  expect(told.status).toBe(status);
  const { error } = JSON.parse(told.body);
  for (const [field, message] of Object.entries(fields)) expect(error.fields[field]).toMatch(message);
  expect(await project.queries.tasks()).toEqual([]);
});

test("gates are added to a task, and its other fields replaced, in one change", async () => {
  const { project, panel } = await freshPanel();
  await project.decide(createTask({ title: "Lay the points", criteria: ["Quiet"] }));
  await project.decide(
    createTask({ title: "Set the signals", gates: [{ command: "true", max: 1, timeout_s: 9 }] }),
  );
  const input = { task: 2, depends_on: [1], criteria: ["Red at night"], tags: [], gates: ["npm test"] };
  expect((await actOn(panel, "change_task", input)).status).toBe(200);
  expect(await project.queries.task(2)).toMatchObject({
    ...{ title: "Set the signals", depends_on: [1], criteria: ["Red at night"] },
    gates: [{ command: "true" }, { command: "npm test", max_attempts: 5, approval: "unneeded" }],
  });
});

test("a task is found by its number first, then by how its title begins, then the newest first", async () => {
  const { project } = await freshProject();
  for (const title of ["Signals", "Reset 1", "Lay points", "The signals", "signal box"]) {
    await project.decide(createTask({ title }));
  }
  const found = (text: string) =>
    project.ask((readModel) => findTasks(readModel, text, 20).map(({ id }) => id));
  expect(await found("SIGNAL")).toEqual([5, 1, 4]);
  expect(await found("#1")).toEqual([1]);
  expect(await found("1")).toEqual([1, 2]);
  expect(await found("nothing")).toEqual([]);
});
