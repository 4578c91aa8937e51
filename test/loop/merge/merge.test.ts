import { expect, test } from "vitest";
import { useBundle } from "../../children.ts";
import { statuses, stepsOf } from "../given-loop.ts";
import { givenMerges, works } from "./given-merges.ts";

const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

test("with integrate auto what a session leaves uncommitted is committed and merged into the base, files and all", async () => {
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
