import { expect, test } from "vitest";
import { createFeature } from "../../../src/operations/features.ts";
import { addLearning } from "../../../src/operations/learnings.ts";
import { startSession } from "../../../src/operations/sessions.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { callTool, connectAgent, connectWith } from "../../support/mcp.ts";
import { freshProject } from "../../support/project.ts";

/* Catches: a learning that is told twice, one that gets lost with its first words, an agent that passes for a human. */

const TIMES = "All times in reports are in UTC.";

/** Feature `reports` with task 1, and what agents tell of it. */
async function given() {
  const { project } = await freshProject();
  await project.decide(createFeature({ name: "reports" }));
  await project.decide(createTask({ title: "Export", feature: "reports" }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  const worker = await connectAgent(project.store, 1, "s-1");
  const client = await connectWith(project.store, { recipe: "ramble" });
  return {
    project,
    learned: (text: string, more: object = {}, use?: string) =>
      callTool(worker, "learned", { text, kind: "convention", ...more }, use),
    append: (text: string, more: object = {}, use?: string) =>
      callTool(client, "append_feature_learning", { feature_name: "reports", text, ...more }, use),
    async learnings() {
      const { structured } = await callTool(client, "get_feature", { name: "reports" });
      return structured as { learnings: Record<string, unknown>[]; learnings_left_out: number };
    },
  };
}

test("a learning is kept with its source, its reason and its task", async () => {
  const { project, append, learnings } = await given();
  const { structured } = await append(TIMES, { source: "auto", reason: "Seen in the schema.", task_id: 1 });
  const learning = await project.log.head();
  expect(structured).toEqual({ learning, joined: false, confirmations: 1, text: TIMES });
  expect((await learnings()).learnings).toEqual([
    { id: learning, text: TIMES, kind: "discovery", rationale: "Seen in the schema.", confirmations: 1 },
  ]);
  expect(await project.queries.sql("SELECT source, task_id, session_id FROM learning_sources")).toEqual([
    { source: "auto", task_id: 1, session_id: "c-1" },
  ]);
});

test("a repetition of a verb's learning is merged with it, and the answer names that", async () => {
  const { project, learned, append, learnings } = await given();
  await learned(TIMES);
  const learning = await project.log.head();
  const again = await append("all times in reports are in UTC");
  expect(again.structured).toEqual({ learning, joined: true, confirmations: 2, text: TIMES });
  const third = await append("> **All times** in reports are in UTC!", { source: "human" });
  expect(third.structured).toMatchObject({ learning, joined: true, confirmations: 3 });
  const other = await append("All times in reports are in CET.");
  expect(other.structured).toMatchObject({ joined: false, confirmations: 1 });
  expect((await learnings()).learnings).toMatchObject([
    { text: "All times in reports are in CET." },
    { id: learning, text: TIMES, kind: "convention", rationale: null, confirmations: 3 },
  ]);
});

test("learned names the entry that it confirms, and quotes its words", async () => {
  const { project, append, learned } = await given();
  await append(TIMES);
  const learning = await project.log.head();
  const again = await learned("all times in reports are in utc", {}, "toolu_1");
  expect(again.structured).toMatchObject({
    recorded: "learned on task 1 in session s-1",
    kept: { learning, joined: true, confirmations: 2, text: TIMES },
  });
  const other = await learned("All times in reports are in CET.");
  expect(other.structured).toMatchObject({ kept: { learning: await project.log.head(), joined: false } });
  expect(await learned("all times in reports are in utc", {}, "toolu_1")).toEqual(again);
});

test("a repeated call gets the first answer, whatever was reported meanwhile", async () => {
  const { project, append } = await given();
  const first = await append(TIMES, {}, "toolu_1");
  await append(TIMES, {}, "toolu_2");
  const head = await project.log.head();
  expect(await append(TIMES, {}, "toolu_1")).toEqual(first);
  expect(await project.log.head()).toBe(head);
});

test("of many learnings the last confirmed fifty are given, long ones shortened, and how many more there are", async () => {
  const { project, append, learnings } = await given();
  for (let number = 1; number <= 52; number++) {
    const text = `Number ${number} is ${"very ".repeat(250)}odd.`;
    await project.decide(addLearning({ feature: "reports", text, source: "auto" }));
  }
  await append(`Number 1 is ${"very ".repeat(250)}odd.`);
  const { learnings: given50, learnings_left_out } = await learnings();
  expect(given50).toHaveLength(50);
  expect(learnings_left_out).toBe(2);
  expect(given50.map(({ text }) => String(text).slice(0, 9)).slice(0, 2)).toEqual(["Number 1 ", "Number 52"]);
  expect(given50.every(({ text }) => String(text).length === 1_000)).toBe(true);
});
