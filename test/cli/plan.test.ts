import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Project } from "../../src/api/project.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { beginPlan } from "../../src/operations/plans.ts";
import { endSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
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

test("a text of which all is a draft already adds nothing, says which plan has it, and is no failure", async () => {
  const { project, plan, statuses } = await given();
  await plan("idea.md");
  expect(await plan("idea.md")).toMatchObject(
    prints("plan-2 proposes nothing new: all of it waits in plan-1."),
  );
  expect(await statuses()).toEqual(["draft", "draft", "draft"]);
  expect(await project.queries.sessions()).toMatchObject([{ outcome: "success" }, { outcome: "success" }]);
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

test("a planning agent is that session's agent in its shell: what is a human's is refused there, and what it makes is a draft", async () => {
  const { project, folder, run } = await given();
  await run("plan", "idea.md", "--agent", "pretend");
  const program = packagePath("bin/signalbox.js");
  const script = [
    "#!/bin/sh",
    "cat > /dev/null",
    `"${process.execPath}" "${program}" inbox approve plan-1 > approved.txt 2>&1`,
    `"${process.execPath}" "${program}" task add Sneaked > added.txt 2>&1`,
  ];
  writeFileSync(join(folder, "agent.sh"), `${script.join("\n")}\n`, { mode: 0o755 });
  await run("plan", "--text", "More.", "--agent", `${join(folder, "agent.sh")} {prompt_file}`);
  expect(readFileSync(join(folder, "approved.txt"), "utf8")).toContain("this is the process of an agent");
  const tasks = await project.queries.tasks();
  expect(tasks.map(({ status }) => status)).not.toContain("pending");
});

test("an agent that outlives its planning session makes no task", async () => {
  const { project } = await given();
  const by = new Project(project.store, "agent", { session: "s-1" });
  await project.decide(
    beginPlan(undefined, { session: "s-1", recipe: "braindump", text: "x", driver: "d-1" }),
  );
  await by.decide(createTask({ title: "In time" }));
  await project.decide(endSession({ session: "s-1", exit: "cancelled" }));
  await expect(by.decide(createTask({ title: "Late" }))).rejects.toThrow("The session of plan-1 has ended");
  expect(await project.queries.tasks()).toMatchObject([{ title: "In time", status: "draft" }]);
});

test("half of a plan is not approved by --yes, and replaces nothing", async () => {
  const { project, run, statuses, folder } = await given();
  await run("plan", "idea.md", "--agent", "pretend");
  await project.decide(
    beginPlan(undefined, { session: "s-2", recipe: "braindump", text: "x", again: 1, driver: "d-1" }),
  );
  await new Project(project.store, "agent", { session: "s-2" }).decide(createTask({ title: "Half" }));
  await project.decide(endSession({ session: "s-2", exit: "cancelled" }));
  expect(await statuses()).toEqual(["draft", "draft", "draft", "draft"]);
  // An agent that fails after its first task.
  writeFileSync(join(folder, "failing.sh"), "#!/bin/sh\nexit 3\n", { mode: 0o755 });
  const failed = await run(
    "plan",
    "--text",
    "y",
    "--yes",
    "--agent",
    `${join(folder, "failing.sh")} {prompt_file}`,
  );
  expect(failed.exitCode).toBe(1);
  expect(await statuses()).not.toContain("pending");
});

test("what cannot run begins nothing", async () => {
  const { project, run } = await given();
  expect(await run("plan", "idea.md", "--agent", "nosuch")).toMatchObject({ exitCode: 2 });
  expect(await project.queries.sessions()).toEqual([]);
});

test("sent again under its key it is the plan that there is", async () => {
  const { project, plan } = await given();
  const first = await plan("idea.md", "--key", "k-1", "--json");
  const again = await plan("idea.md", "--key", "k-1", "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({ plan: JSON.parse(first.stdout).plan, tasks: 3 });
  expect(await project.queries.sessions()).toHaveLength(1);
});

test("its tasks are of the feature that was named", async () => {
  const { project, run, plan } = await given();
  await run("feature", "add", "reports");
  await plan("idea.md", "--feature", "reports");
  expect((await project.queries.tasks()).map(({ feature }) => feature)).toEqual([
    "reports",
    "reports",
    "reports",
  ]);
});
