import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addLearning } from "../../../src/operations/learnings.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { READ_LIMIT } from "../../../src/workspace/state-files/read.ts";
import { renderLearnings } from "../../../src/workspace/state-files/render-learnings.ts";
import { renderProgress } from "../../../src/workspace/state-files/render-progress.ts";
import { callTool, connectWith } from "../../support/mcp.ts";
import { freshProject } from "../../support/project.ts";

/* Catches: a file that is read in the place of the log, a text that fills an agent's context, a duplicate kept twice. */

async function given() {
  const { project, folder } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  const agent = await connectWith(project.store, { recipe: "task_execution", session_id: "s-1", task_id: 1 });
  const call = (name: string, args: Record<string, unknown> = {}, use?: string) =>
    callTool(agent, name, args, use);
  return { project, folder, call };
}

test("append_learning records a learning about the project, by an agent", async () => {
  const { project, call } = await given();
  const answer = await call("append_learning", { text: "Times are in UTC." });
  const id = await project.log.head();
  expect(answer.structured).toEqual({
    learning: id,
    joined: false,
    confirmations: 1,
    text: "Times are in UTC.",
  });
  const [event] = await project.log.read(id - 1, 1);
  expect(event).toMatchObject({
    type: "learning.added",
    stream: "project",
    actor: "agent",
    correlation: "s-1",
    payload: { text: "Times are in UTC.", kind: "discovery", source: "agent" },
  });
});

test.each(["append_learning", "append_progress"])(
  "a repeated %s is recorded once, and a blank one refused",
  async (tool) => {
    const { project, call } = await given();
    const first = await call(tool, { text: "Half." }, "toolu_1");
    const head = await project.log.head();
    expect(await call(tool, { text: "Half." }, "toolu_1")).toEqual(first);
    for (const args of [{ text: " " }, {}, { text: "x", kind: "decision" }, { text: "x".repeat(10_001) }])
      expect(await call(tool, args)).toMatchObject({
        isError: true,
        text: expect.stringContaining("Nothing was recorded"),
      });
    expect(await project.log.head()).toBe(head);
  },
);

test("an appended entry is read at once, from the log and not from the file", async () => {
  const { project, folder, call } = await given();
  await call("append_learning", { text: "Times are in UTC." });
  const noted = await call("append_progress", { text: "The writer is there." });
  expect(noted.structured).toEqual({ id: await project.log.head() });
  for (const name of ["learnings", "progress"])
    writeFileSync(join(folder, ".ralph", `${name}.txt`), "by hand");
  const { readModel } = project.store;
  expect((await call("read_learnings")).structured).toEqual({
    text: renderLearnings(readModel),
    whole: true,
    file: join(folder, ".ralph", "learnings.txt"),
  });
  const progress = await call("read_progress");
  expect(progress.structured).toEqual({
    text: renderProgress(readModel),
    whole: true,
    file: join(folder, ".ralph", "progress.txt"),
  });
  expect(progress.text).toContain("agent\\n  The writer is there.\\n");
});

test("reading writes neither event nor file", async () => {
  const { project, folder, call } = await given();
  const head = await project.log.head();
  for (const tool of ["read_learnings", "read_progress"]) await call(tool);
  expect(await project.log.head()).toBe(head);
  expect(existsSync(join(folder, ".ralph", "learnings.txt"))).toBe(false);
});

test("a text too long for an agent's context is shortened, and says where the whole is", async () => {
  const { project, folder, call } = await given();
  const length = 9_000;
  for (const word of ["one", "two", "three", "four", "five"])
    await project.decide(
      addLearning({ text: `${word} ${word.repeat(length / word.length)}`, source: "human" }),
    );
  const file = join(folder, ".ralph", "learnings.txt");
  const { structured } = await call("read_learnings");
  expect(structured).toMatchObject({ whole: false, file });
  const { text } = Object(structured);
  expect(text.length).toBeLessThanOrEqual(READ_LIMIT);
  for (const word of ["one", "two", "three", "four", "five"]) expect(text).toContain(`(discovery) ${word} `);
  expect(text).toMatch(/\[… \d+ characters left out here\]/);
  expect(text).toContain(
    `All of it: ${file}, once \`signalbox state-files\` has written it; or \`signalbox learning show\`.`,
  );
});
