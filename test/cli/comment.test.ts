import { expect, test } from "vitest";
import { createTask } from "../../src/operations/tasks.ts";
import { fails, signalbox, signalboxJson } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

/* Catches: the old spelling that stops working, a comment's text taken for a command, a change that is not recorded. */

async function given() {
  const { project, folder: cwd } = await freshProject();
  await project.decide(createTask({ title: "Export" }));
  return { project, cwd };
}

test("a comment is written with or without `add`, whatever its text looks like", async () => {
  const { project, cwd } = await given();
  expect(await signalboxJson(["comment", "1", "Semicolons."], { cwd })).toEqual({
    ...{ id: 4, task: 1, author: "human", body: "Semicolons." },
  });
  for (const args of [
    ["comment", "add", "1", "delete"],
    ["comment", "1", "edit", "--author", "Ada"],
    ["comment", "--author", "Ada", "1", "list"],
    ["comment", "1", "--", "--author"],
  ])
    expect(await signalbox(args, { cwd }), args.join(" ")).toMatchObject({ exitCode: 0 });
  const written = (await project.queries.comments(1)).map(({ author, body }) => [author, body]);
  expect(written).toEqual([
    ["human", "Semicolons."],
    ["human", "delete"],
    ["Ada", "edit"],
    ["Ada", "list"],
    ["human", "--author"],
  ]);
});

test.each([[["comment", "list", "1"]], [["learning"]]])(
  "%j of an unknown comment says that there is none",
  async (args) => {
    const { cwd } = await given();
    expect(await signalbox(args, { cwd })).toMatchObject({ exitCode: 0, stdout: "none\n" });
  },
);

test("a comment is listed, changed and deleted", async () => {
  const { cwd } = await given();
  const options = ["--author", "Ada", "--discipline", "general", "--priority", "high"];
  expect(await signalboxJson(["comment", "1", "Tabs.", ...options], { cwd })).toEqual({
    ...{ id: 4, task: 1, author: "Ada", body: "Tabs.", discipline: "general", priority: "high" },
  });
  const changed = await signalboxJson(["comment", "edit", "1", "4", "Semicolons."], { cwd });
  expect(changed).toMatchObject({ id: 4, author: "Ada", actor: "human", body: "Semicolons." });
  expect(await signalboxJson(["comment", "list", "1"], { cwd })).toEqual([changed]);
  expect((await signalbox(["comment", "list", "1"], { cwd })).stdout).toMatch(
    /4 +Ada +human +high +Semicolons/,
  );
  expect(await signalboxJson(["comment", "delete", "1", "4"], { cwd })).toEqual({ deleted: 4, task: 1 });
  expect(await signalboxJson(["comment", "list", "1"], { cwd })).toEqual([]);
});

test("a change that is sent again under its key is not done again", async () => {
  const { project, cwd } = await given();
  await signalbox(["comment", "1", "Tabs."], { cwd });
  for (const args of [
    ["comment", "edit", "1", "4", "No.", "--key", "k-1"],
    ["comment", "delete", "1", "4", "--key", "k-2"],
  ]) {
    await signalbox(args, { cwd });
    const head = await project.log.head();
    expect(await signalbox(args, { cwd })).toMatchObject({ exitCode: 0 });
    expect(await project.log.head()).toBe(head);
  }
});

test.each([
  [["comment", "edti", "1", "4", "x"], 2, "unknown command 'edti'. The commands are add, list, edit, delete"],
  [["comment", "1", "two", "words"], 2, "put it in quotes"],
  [["comment", "1"], 2, "missing required argument 'text'"],
  [["comment", "1", "x", "--priority", "urgent"], 2, "critical, high, medium, low"],
  [["comment", "1", "x", "--discipline", "web"], 1, 'There is no discipline "web"'],
  [["comment", "list", "9"], 1, "There is no task 9"],
  [["comment", "edit", "1", "3", "x"], 1, "There is no comment 3"],
  [["comment", "delete", "1", "3"], 1, "There is no comment 3"],
] as const)("signalbox %j exits with %i and says what was wrong", async (args, exitCode, message) => {
  const { project, cwd } = await given();
  const ran = await signalbox(args, { cwd });
  expect(ran).toMatchObject({ ...fails(exitCode, message), stdout: "" });
  expect(await project.log.head()).toBe(3);
});

test("task show says by whom each entry of the timeline is, where its signature does not", async () => {
  const { project, cwd } = await given();
  for (const actor of ["human", "agent"]) {
    const payload = { task: 1, author: "human", body: `By ${actor}.` };
    await project.log.append([{ type: "comment.added", actor, payload }]);
  }
  const { stdout } = await signalbox(["task", "show", "1"], { cwd });
  expect(stdout).toMatch(/ human\n +By human\.\n.* human \(by agent\)\n +By agent\./);
  expect(await signalboxJson(["task", "show", "1"], { cwd })).toMatchObject({
    timeline: [{ by: "human" }, { by: "agent" }],
  });
});
