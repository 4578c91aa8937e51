import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fails, prints, signalbox, signalboxJson } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

/* Catches: a plan that is on the board before its approval, a decision on what nobody named, a session that is nowhere in the log. */

const IDEA = "# Reports\n\n- Export orders as CSV\n- Export orders as PDF\n- Mail the report\n";

/** A project in whose folder `idea.md` is a checklist. */
async function given() {
  const { project, folder } = await freshProject();
  writeFileSync(join(folder, "idea.md"), IDEA);
  const run = (...args: readonly string[]) => signalbox(args, { cwd: folder });
  const plan = (...args: readonly string[]) => run("plan", ...args, "--agent", "pretend");
  const statuses = async () => (await project.queries.tasks()).map(({ status }) => status);
  return { project, folder, run, plan, statuses };
}

test("a text becomes drafts of one plan, which is approved by its name, undone, and rejected", async () => {
  const { project, run, plan, statuses } = await given();
  expect(await plan("idea.md")).toMatchObject(prints(/plan-1 proposes 3 tasks:/));
  expect(await statuses()).toEqual(["draft", "draft", "draft"]);
  expect((await run("inbox")).stdout).toMatch(/plan-1 · plan proposed/);
  expect(await run("inbox", "approve", "plan-1", "--only", "1,3")).toMatchObject(prints("tasks 1, 3"));
  expect(await statuses()).toEqual(["pending", "draft", "pending"]);
  expect(await run("inbox", "undo", "plan-1")).toMatchObject(prints("tasks 1, 3"));
  expect(await statuses()).toEqual(["draft", "draft", "draft"]);
  expect(await run("inbox", "reject", "plan-1", "--only", "2-3")).toMatchObject(prints("tasks 2, 3"));
  const [item] = await project.queries.inbox();
  expect(await run("inbox", "approve", String(item?.id))).toMatchObject(prints("tasks 1"));
  expect(await statuses()).toEqual(["pending", "skipped", "skipped"]);
  expect(await project.queries.sessions()).toMatchObject([
    { task_id: null, recipe: "braindump", outcome: "success" },
  ]);
});

test("a human begins it, its session is the driver's, and what it proposes is the agent's", async () => {
  const { project, plan } = await given();
  await plan("idea.md", "--yes");
  const actors = new Map<string, string>();
  for (const { type, actor } of await project.log.read(0, 1_000)) actors.set(type, actor);
  expect(Object.fromEntries(actors)).toMatchObject({
    "plan.begun": "human",
    "prompt.built": "driver",
    "task.created": "agent",
    "plan.checked": "driver",
    "session.ended": "driver",
    "plan.approved": "human",
  });
});

test("--again makes another proposal, which replaces what is not approved", async () => {
  const { run, plan, statuses } = await given();
  await plan("idea.md");
  await run("inbox", "approve", "plan-1", "--only", "3");
  const again = await plan("--again", "plan-1", "--text", "- Export orders as PDF\n- Export orders as XLSX");
  expect(again).toMatchObject(prints(/plan-2 proposes 2 tasks/));
  expect(await statuses()).toEqual(["skipped", "draft", "pending", "draft"]);
});

test("a text without anything to do proposes nothing, and fails", async () => {
  const { project, plan } = await given();
  expect(await plan("--text", "Something nice.")).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining("proposes nothing"),
  });
  expect(await project.queries.sessions()).toMatchObject([
    { outcome: "failure", end_reason: "it proposed no task" },
  ]);
  expect(await project.queries.inbox()).toEqual([]);
});

test("what cannot be is refused, and says what can", async () => {
  const { run, plan, folder } = await given();
  expect(await plan()).toMatchObject(fails(1, "Say what is to be planned"));
  expect(await plan("idea.md", "--text", "x")).toMatchObject(fails(1, "not by both"));
  expect(await plan("nowhere.md")).toMatchObject(fails(1, "nowhere.md cannot be read"));
  expect(await plan("idea.md", "--feature", "none")).toMatchObject(fails(1, 'There is no feature "none"'));
  expect(await plan("--again", "plan-7")).toMatchObject(fails(1, "There is no plan-7"));
  writeFileSync(join(folder, "long.md"), "x".repeat(100_001));
  expect(await plan("long.md")).toMatchObject(fails(1, "Plan it in parts"));
  await plan("idea.md");
  expect(await run("inbox", "approve", "plan-9")).toMatchObject(fails(1, "There is no plan-9"));
  expect(await run("inbox", "approve", "plan-1", "--only", "9")).toMatchObject(
    fails(1, "Task 9 is no draft of plan-1"),
  );
  expect(await run("inbox", "approve", "plan-1", "--only", "3-1")).toMatchObject(fails(2, "such as 3,5-7"));
  await run("task", "set", "2", "--depends-on", "1");
  expect(await run("inbox", "approve", "plan-1", "--only", "2")).toMatchObject(
    fails(1, "Task 2 depends on task 1"),
  );
  await run("inbox", "reject", "plan-1");
  expect(await run("inbox", "approve", "plan-1")).toMatchObject(fails(1, "Every task of plan-1 is decided"));
});

test("--json has the plan whole", async () => {
  const { folder } = await given();
  expect(await signalboxJson(["plan", "idea.md", "--agent", "pretend"], { cwd: folder })).toMatchObject({
    plan: 1,
    state: "proposed",
    proposed: [{ id: 1, title: "Export orders as CSV", gates: [] }, { id: 2 }, { id: 3 }],
    faults: [],
    exit: "exited",
  });
});
