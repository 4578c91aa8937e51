import { expect, test } from "vitest";
import { createFeature } from "../../../src/operations/features.ts";
import { describeProject } from "../../../src/operations/project.ts";
import { setTaskStatus } from "../../../src/operations/task-status.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { callTool, connectWith } from "../../support/mcp.ts";
import { freshProject } from "../../support/project.ts";

/* Catches: a title that nobody gave, counts of an older state of the log. */

async function given() {
  const { project } = await freshProject();
  const agent = await connectWith(project.store, { recipe: "opus_review" });
  return { project, ask: async (name: string) => (await callTool(agent, name, {})).structured };
}

test("get_project_info has the given description, and leaves absent fields out", async () => {
  const { project, ask } = await given();
  const [first] = await project.log.read(0, 1);
  const created = first?.recordedAt.slice(0, -1).replace("T", " ");
  expect(await ask("get_project_info")).toEqual({ title: null, description: "", created });
  await project.decide(describeProject({ title: "Invoices", description: "Bills." }));
  expect(await ask("get_project_info")).toEqual({ title: "Invoices", description: "Bills.", created });
});

test("get_project_progress counts the tasks at the head of the log", async () => {
  const { project, ask } = await given();
  expect(await ask("get_project_progress")).toEqual({
    ...{ total: 0, done: 0, percentage: null },
    ...{ by_status: {}, by_feature: [] },
  });
  await project.decide(createFeature({ name: "reports" }));
  for (const feature of ["general", "reports", "reports"])
    await project.decide(createTask({ title: "x", feature }));
  await project.decide(setTaskStatus({ task: 2, status: "done" }));
  expect(await ask("get_project_progress")).toEqual({
    ...{ total: 3, done: 1, percentage: 33 },
    by_status: { pending: 2, done: 1 },
    by_feature: [
      { feature: "general", total: 1, done: 0, percentage: 0 },
      { feature: "reports", total: 2, done: 1, percentage: 50 },
    ],
  });
});
