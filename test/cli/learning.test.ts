import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderLearnings } from "../../src/workspace/state-files/render-learnings.ts";
import { renderProgress } from "../../src/workspace/state-files/render-progress.ts";
import { fails, signalbox, signalboxJson } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

/* Catches: a duplicate that is kept as another entry, a text that is not that of the file, a file that reading makes. */

test("a learning is added, and joined where it is known", async () => {
  const { project, folder: cwd } = await freshProject();
  const add = (...args: string[]) => signalboxJson(["learning", "add", ...args], { cwd });
  const text = "Times are in UTC.";
  expect(await add(text)).toEqual({ learning: 3, joined: false, confirmations: 1, text });
  expect(await add("times are in utc")).toEqual({ learning: 3, joined: true, confirmations: 2, text });
  const said = await signalbox(["learning", "add", "TIMES are in UTC"], { cwd });
  expect(said.stdout).toBe("Joined with learning 3, said 3 times: Times are in UTC.\n");
  await signalbox(["task", "add", "Export"], { cwd });
  await add(
    "Exports are slow.",
    ...[
      "--feature",
      "general",
      "--kind",
      "decision",
      "--reason",
      "Redis.",
      "--source",
      "auto",
      "--task",
      "1",
    ],
  );
  const [event] = await project.log.read((await project.log.head()) - 1, 1);
  expect(event).toMatchObject({
    type: "learning.added",
    actor: "human",
    payload: { feature: "general", kind: "decision", reason: "Redis.", source: "auto", task: 1 },
  });
});

test("learnings are listed, searched, and printed as learnings.txt has them", async () => {
  const { project, folder: cwd } = await freshProject();
  for (const args of [["Times are in UTC."], ["Exports are slow.", "--feature", "general"]])
    await signalbox(["learning", "add", ...args], { cwd });
  expect(await signalboxJson(["learning"], { cwd })).toEqual({
    learnings: await project.queries.learnings(),
    next: null,
  });
  expect(await signalboxJson(["learning", "list", "--search", "export"], { cwd })).toMatchObject({
    learnings: [{ id: 4 }],
  });
  expect(await signalboxJson(["learning", "list", "--scope", "project"], { cwd })).toMatchObject({
    learnings: [{ id: 3 }],
  });
  expect((await signalbox(["learning", "list", "--feature", "general"], { cwd })).stdout).toMatch(
    /4 +discovery +general +1× +Exports are slow\./,
  );
  const text = renderLearnings(project.store.readModel);
  expect((await signalbox(["learning", "show"], { cwd })).stdout).toBe(text);
  const file = join(cwd, ".ralph", "learnings.txt");
  expect(await signalboxJson(["learning", "show"], { cwd })).toEqual({ text, file });
  expect(existsSync(file)).toBe(false);
});

test("progress is noted, and printed as progress.txt has it", async () => {
  const { project, folder: cwd } = await freshProject();
  expect(await signalboxJson(["progress", "add", "The writer is there."], { cwd })).toEqual({
    ...{ id: 3, text: "The writer is there." },
  });
  await project.queries.project();
  const text = renderProgress(project.store.readModel);
  expect(text).toContain("  The writer is there.\n");
  expect((await signalbox(["progress"], { cwd })).stdout).toBe(text);
  const file = join(cwd, ".ralph", "progress.txt");
  expect(await signalboxJson(["progress", "show"], { cwd })).toEqual({ text, file });
  expect(existsSync(file)).toBe(false);
});

test.each([
  [["learning", "add", " "], 2, "`text` is blank"],
  [["learning", "add", "x", "--kind", "rumour"], 2, "discovery, decision, convention"],
  [["learning", "add", "x", "--feature", "web"], 1, 'There is no feature "web"'],
  [["learning", "add", "x", "--task", "9"], 1, "There is no task 9"],
  [
    ["learning", "find"],
    2,
    "unknown command 'find'. The commands are add, list, pin, retire, release, split, show",
  ],
  [["progress", "add", ""], 2, "`text` is blank"],
  [["progress", "note"], 2, "unknown command 'note'. The commands are show, add"],
] as const)("signalbox %j exits with %i and says what was wrong", async (args, exitCode, message) => {
  const { project, folder: cwd } = await freshProject();
  const ran = await signalbox(args, { cwd });
  expect(ran).toMatchObject({ ...fails(exitCode, message), stdout: "" });
  expect(await project.log.head()).toBe(2);
});
