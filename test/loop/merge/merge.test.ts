import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { useBundle } from "../../children.ts";
import { statuses, stepsOf } from "../given-loop.ts";
import { givenMerges, works } from "./given-merges.ts";

const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

test("with integrate auto a session's uncommitted files are committed and merged into the base", async () => {
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "auto" },
    tasks: [{ title: "Add four" }, { title: "Add a note" }],
    acts: { 1: [works("echo four >> list.txt")], 2: [works("echo note > note.txt")] },
  });
  const { steps, exitCode, stderr } = await loop.run();
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stepsOf(steps, "merge_ended").map(({ task, state }) => [task, state])).toEqual([
    [1, "landed"],
    [2, "landed"],
  ]);
  expect(loop.fileAt("main", "list.txt")).toBe("one\ntwo\nthree\nfour");
  expect(loop.fileAt("main", "note.txt")).toBe("note");
  expect(loop.git("status", "--porcelain")).toBe("");
  expect(loop.git("log", "--format=%s|%an", "--first-parent").split("\n").slice(0, 2)).toEqual([
    "Task 2: Add a note|Ada",
    "Task 1: Add four|Ada",
  ]);
  expect(await statuses(loop.project)).toEqual({ 1: "done", 2: "done" });
});

test("two tasks that change the same lines: the second is an item of the inbox, with the files and the commands, and no status changes", async () => {
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "auto", reopen: 0 },
    config: { jobs: 2 },
    tasks: [{ title: "Shout" }, { title: "Whisper" }],
    acts: { 1: [works("sed -i s/two/TWO/ list.txt")], 2: [works("sed -i s/two/too/ list.txt")] },
  });
  const { steps } = await loop.run();
  const ended = stepsOf(steps, "merge_ended");
  expect(ended.map(({ state }) => state)).toEqual(["landed", "conflicted"]);
  const task = ended[1]?.task ?? 0;
  const [item, ...others] = await loop.project.queries.inbox();
  expect(others).toEqual([]);
  expect(item).toMatchObject({ kind: "merge", task, state: "conflicted" });
  expect(item?.text).toContain("list.txt");
  expect(item?.detail).toContain(`signalbox merge queue ${task}`);
  expect(await statuses(loop.project)).toEqual({ 1: "done", 2: "done" });
  expect(loop.git("status", "--porcelain")).toBe("");
  expect(loop.gitIn(task, "status", "--porcelain")).toBe("");
});

test("a conflicting merge is given to an agent once: worktree and prompt show the conflict, and its resolution lands", async () => {
  const resolve = "grep -q '<<<<<<<' list.txt && printf 'one\\nTWO too\\nthree\\n' > list.txt";
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "auto" },
    config: { jobs: 2 },
    tasks: [{ title: "Shout" }, { title: "Whisper" }],
    acts: {
      1: [works("sed -i s/two/TWO/ list.txt"), works(resolve)],
      2: [works("sed -i s/two/too/ list.txt"), works(resolve)],
    },
  });
  const { steps, exitCode } = await loop.run();
  expect(exitCode).toBe(0);
  const [task] = stepsOf(steps, "merge_reopened").map((step) => step.task);
  const again = stepsOf(steps, "session_started")
    .filter((step) => step.task === task)
    .at(-1);
  const prompt = readFileSync(loop.path(`.ralph/run/${again?.session}/prompt.md`), "utf8");
  expect(prompt).toContain("# Finish the merge first");
  expect(prompt).toContain("- list.txt");
  expect(loop.fileAt("main", "list.txt")).toBe("one\nTWO too\nthree");
  expect(await statuses(loop.project)).toEqual({ 1: "done", 2: "done" });
  expect(await loop.project.queries.inbox()).toEqual([]);
});

test("a conflict in a file whose name has a newline is shown in the inbox, and its commands can be pasted", async () => {
  const inFile = (word: string) => works(`echo ${word} > "$(printf 'a\\nb')"`);
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "auto", reopen: 0, base: "it's;main" },
    config: { jobs: 2 },
    tasks: [{ title: "Shout" }, { title: "Whisper" }],
    acts: { 1: [inFile("TWO")], 2: [inFile("too")] },
  });
  loop.git("branch", "it's;main");
  await loop.run();
  const [item] = await loop.project.queries.inbox();
  expect(item).toMatchObject({ kind: "merge", state: "conflicted" });
  expect(item?.text).toMatch(/conflicts with it's;main in files whose names cannot be shown$/);
  expect(item?.detail).toContain("git merge 'it'\\''s;main'");
});
