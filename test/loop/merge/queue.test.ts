import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { acceptTask } from "../../../src/operations/acceptance.ts";
import { useBundle } from "../../children.ts";
import { signalbox } from "../../support/cli.ts";
import { statuses, stepsOf } from "../given-loop.ts";
import { eventsOf, givenMerges, works } from "./given-merges.ts";

const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");
const gate = (command: string) => ({ command, max: 5, timeout_s: 60 });

test("a gate that passes on the branch and fails on the merged result keeps it out, counts no attempt, and moves no gate", async () => {
  // Each task adds a line; together there are too many.
  const tooMany =
    'test "$(cat list.txt more.txt 2>/dev/null | wc -l)" -le 4 || { echo too many >&2; exit 3; }';
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "auto", reopen: 0 },
    config: { jobs: 2 },
    tasks: [
      { title: "One more", gates: [gate(tooMany)] },
      { title: "Another file", gates: [gate(tooMany)] },
    ],
    acts: { 1: [works("echo four >> list.txt")], 2: [works("echo five > more.txt")] },
  });
  const { steps } = await loop.run();
  const ended = stepsOf(steps, "merge_ended");
  expect(ended.map(({ state }) => state)).toEqual(["landed", "gate_failed"]);
  const task = ended[1]?.task ?? 0;
  expect(await loop.project.queries.inbox()).toMatchObject([
    { kind: "merge", task, state: "gate_failed", gate: 1, detail: expect.stringContaining("too many") },
  ]);
  const runs = await eventsOf(loop.project, "merge.gate_attempted");
  expect(runs.filter((run) => run.task === task)).toMatchObject([{ gate: 1, exit_code: 3 }]);
  const gates = await loop.project.queries.sql("SELECT state, attempts FROM gates ORDER BY task_id");
  expect(gates).toEqual(Array(2).fill({ state: "passed", attempts: 0 }));
  expect(await statuses(loop.project)).toEqual({ 1: "done", 2: "done" });
  // What it says to run, but for the commit, leads to the merge at once.
  expect(ended[1]?.commands.slice(-2)).toEqual(["git commit -a", `signalbox merge queue ${task}`]);
  loop.gitIn(task, "merge", "--quiet", "--no-edit", "main");
  writeFileSync(loop.path(`.ralph/worktrees/task-${task}/list.txt`), "one\n");
  await signalbox(["merge", "queue", `${task}`, "--db", loop.db]);
  expect(stepsOf((await loop.run()).steps, "merge_ended")).toMatchObject([{ state: "landed" }]);
  expect(loop.fileAt("main", "list.txt")).toBe("one");
});

test("a base checked out with local changes is not touched: the merge waits, and lands when they are gone", async () => {
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "auto" },
    tasks: [{ title: "Add four" }],
    acts: { 1: [works("echo four >> list.txt")] },
  });
  const before = loop.git("rev-parse", "main");
  writeFileSync(loop.path("list.txt"), "mine\n");
  const first = await loop.run();
  expect(stepsOf(first.steps, "merge_ended")).toMatchObject([{ state: "waiting" }]);
  expect(stepsOf(first.steps, "merge_ended")[0]?.reason).toContain("list.txt");
  expect(loop.git("rev-parse", "main")).toBe(before);
  expect(loop.git("diff", "--name-only")).toBe("list.txt");
  const [item] = await loop.project.queries.inbox();
  expect(item).toMatchObject({ kind: "merge", task: 1, state: "waiting" });
  expect(stepsOf(first.steps, "loop_stopped")[0]?.reason).toContain(
    `merge is waiting for you: merge ${item?.id}`,
  );
  // While they are there another run leaves it alone.
  expect(stepsOf((await loop.run()).steps, "merge_started")).toEqual([]);
  loop.git("checkout", "list.txt");
  const last = await loop.run();
  expect(stepsOf(last.steps, "merge_ended")).toMatchObject([{ state: "landed" }]);
  expect(loop.fileAt("main", "list.txt")).toBe("one\ntwo\nthree\nfour");
  expect(await loop.project.queries.inbox()).toEqual([]);
});

test("with integrate ask a done task waits in the inbox, and its merge is queued by the human's act", async () => {
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "ask" },
    tasks: [{ title: "Add four", accept: "human" }],
    acts: { 1: [works("echo four >> list.txt")] },
  });
  await loop.run();
  expect((await loop.project.queries.inbox()).map(({ kind }) => kind)).toEqual(["acceptance"]);
  await loop.project.decide(acceptTask({ task: 1 }));
  await loop.run();
  expect(await loop.project.queries.inbox()).toMatchObject([{ kind: "merge", state: "proposed" }]);
  expect(loop.fileAt("main", "list.txt")).toBe("one\ntwo\nthree");
  const queued = await signalbox(["merge", "queue", "1", "--db", loop.db]);
  expect(queued.stdout).toMatch(/^merge\.queued at position \d+; task 1 is done\.\n$/);
  const ran = await signalbox(["merge", "run", "--db", loop.db]);
  expect({ code: ran.exitCode, stderr: ran.stderr }).toEqual({ code: 0, stderr: "" });
  expect(loop.fileAt("main", "list.txt")).toBe("one\ntwo\nthree\nfour");
});

test("worktrees true merges and asks nothing; a manual merge works", async () => {
  const loop = await givenMerges(agent, {
    worktrees: true as unknown as object,
    tasks: [{ title: "Add four" }],
    acts: { 1: [works("echo four >> list.txt")] },
  });
  const { steps } = await loop.run();
  expect(stepsOf(steps, "merge_queued")).toEqual([]);
  expect(await loop.project.queries.inbox()).toEqual([]);
  expect(loop.fileAt("signalbox/task-1", "list.txt")).toBe("one\ntwo\nthree\nfour");
  await signalbox(["merge", "queue", "1", "--db", loop.db]);
  await signalbox(["merge", "run", "--db", loop.db]);
  expect(loop.fileAt("main", "list.txt")).toBe("one\ntwo\nthree\nfour");
});

test("a merge that was withdrawn stays so, and no other task waits for it", async () => {
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "ask" },
    tasks: [{ title: "Add four" }],
    acts: { 1: [works("echo four >> list.txt")] },
  });
  await loop.run();
  await signalbox(["merge", "withdraw", "1", "--db", loop.db]);
  await loop.run();
  expect(await loop.project.queries.inbox()).toEqual([]);
  expect(await loop.project.queries.merges()).toMatchObject([{ state: "withdrawn" }]);
  const again = await signalbox(["merge", "withdraw", "1", "--db", loop.db]);
  expect({ code: again.exitCode, said: again.stderr }).toMatchObject({
    code: 1,
    said: expect.stringContaining("The merge of task 1 has ended: it is withdrawn."),
  });
});

test("a configured base that is not checked out moves without touching the checkout", async () => {
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "auto", base: "develop" },
    tasks: [{ title: "Add four" }],
    acts: { 1: [works("echo four >> list.txt")] },
  });
  loop.git("branch", "develop");
  writeFileSync(loop.path("list.txt"), "mine\n");
  await loop.run();
  expect(loop.fileAt("develop", "list.txt")).toBe("one\ntwo\nthree\nfour");
  expect(loop.fileAt("main", "list.txt")).toBe("one\ntwo\nthree");
  expect(loop.git("diff", "--name-only")).toBe("list.txt");
});
