import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { acceptTask } from "../../../src/operations/acceptance.ts";
import { useBundle } from "../../children.ts";
import { signalbox } from "../../support/cli.ts";
import { stepsOf } from "../given-loop.ts";
import { givenMerges, works } from "./given-merges.ts";

const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

test("a task starts with its dependencies' unmerged work, including uncommitted files", async () => {
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "never" },
    tasks: [
      { title: "A" },
      { title: "B" },
      { title: "Both", depends_on: [1, 2] },
      { title: "Above", depends_on: [3] },
    ],
    acts: {
      1: [works("echo a > a.txt")],
      2: [works("echo b > b.txt")],
      3: [works("cat a.txt b.txt > both.txt")],
      4: [works("cat both.txt a.txt > above.txt")],
    },
  });
  await loop.run();
  expect(loop.fileAt("signalbox/task-4", "above.txt")).toBe("a\nb\na");
  expect(loop.fileAt("main", "a.txt")).toBeUndefined();
});

test("dependencies that conflict with each other leave the conflict to the agent, whose prompt says so", async () => {
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "never" },
    tasks: [{ title: "Shout" }, { title: "Whisper" }, { title: "Both", depends_on: [1, 2] }],
    acts: {
      1: [works("sed -i s/two/TWO/ list.txt")],
      2: [works("sed -i s/two/too/ list.txt")],
      3: [works("grep -c '<<<<<<<' list.txt > marks.txt; printf 'one\\nTWO too\\nthree\\n' > list.txt")],
    },
  });
  const { steps } = await loop.run();
  expect(stepsOf(steps, "conflicted")).toMatchObject([
    { task: 3, branch: "signalbox/task-2", files: ["list.txt"] },
  ]);
  const session = stepsOf(steps, "session_started").at(-1)?.session;
  const prompt = readFileSync(loop.path(`.ralph/run/${session}/prompt.md`), "utf8");
  expect(prompt).toMatch(/Merging signalbox\/task-2 .* stopped at conflicts[\s\S]*- list\.txt/);
  expect(loop.fileAt("signalbox/task-3", "list.txt")).toBe("one\nTWO too\nthree");
  expect(loop.fileAt("signalbox/task-3", "marks.txt")).toBe("1");
  const parents = loop.git("log", "-1", "--format=%P", "signalbox/task-3").split(" ");
  expect(parents).toContain(loop.git("rev-parse", "signalbox/task-2"));
});

test("conflicts that an agent leaves unresolved are not committed, and never merged", async () => {
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "auto" },
    config: { jobs: 2 },
    tasks: [{ title: "Shout" }, { title: "Whisper" }],
    acts: {
      1: [works("sed -i s/two/TWO/ list.txt"), works("true")],
      2: [works("sed -i s/two/too/ list.txt"), works("true")],
    },
  });
  const { steps } = await loop.run();
  const committed = stepsOf(steps, "committed");
  expect(committed.some(({ problem }) => problem?.includes("conflicts are not resolved in list.txt"))).toBe(
    true,
  );
  // Refused twice, then a human is asked.
  expect(stepsOf(steps, "session_ended").map(({ task, status }) => `${task} ${status}`)).toEqual(
    expect.arrayContaining(["2 pending", "2 pending", "2 needs_input"]),
  );
  expect(await loop.project.queries.inbox()).toMatchObject([
    { kind: "acceptance", detail: expect.stringContaining("A merge has conflicts in list.txt") },
  ]);
  await loop.project.decide(acceptTask({ task: 2 }));
  const { steps: then } = await loop.run();
  expect(stepsOf(then, "merge_ended").at(-1)).toMatchObject({ state: "waiting" });
  expect(loop.fileAt("main", "list.txt")).not.toContain("<<<<");
  expect(await loop.project.queries.inbox()).toMatchObject([{ kind: "merge", state: "waiting" }]);
});

test("a dependency that landed as another commit does not conflict with a task based on its old work", async () => {
  const changes = "printf 'one\\nTWO!\\nthree\\n' > list.txt && git commit --quiet --all --message own";
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "ask" },
    tasks: [{ title: "Shout" }, { title: "Louder", depends_on: [1] }, { title: "Aside" }],
    acts: {
      1: [works("sed -i s/two/TWO/ list.txt")],
      2: [works(changes)],
      3: [works("echo x > other.txt")],
    },
  });
  await loop.run();
  // The base moves first, so that the dependency lands rebased, as another commit than the task has.
  for (const task of ["3", "1", "2"]) {
    await signalbox(["merge", "queue", task, "--db", loop.db]);
    await signalbox(["merge", "run", "--db", loop.db]);
  }
  expect((await loop.project.queries.merges()).map(({ state }) => state)).toEqual([
    "landed",
    "landed",
    "landed",
  ]);
  expect(loop.fileAt("main", "list.txt")).toBe("one\nTWO!\nthree");
  expect(loop.git("log", "-1", "--format=%s")).toBe("own");
  expect(loop.git("log", "--merges", "--format=%s")).toBe("");
});
