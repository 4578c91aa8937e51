import { describe, expect, test } from "vitest";
import { tools } from "../../../src/mcp/tools/index.ts";
import { deleteTask } from "../../../src/operations/delete-task.ts";
import { recordGateAttempt } from "../../../src/operations/gates.ts";
import { approveSuggestion } from "../../../src/operations/inbox-proposals.ts";
import { startSession } from "../../../src/operations/sessions.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { type GivenTasks, givenTasks, refusalOf } from "./given-tasks.ts";

const WORK = { feature: "reports", discipline: "backend", title: "Export as CSV" };
const PLAN = {
  acceptance_criteria: ["A header row."],
  tags: ["export"],
  context_files: ["src/orders.ts"],
  output_artifacts: ["src/lib/csv.ts"],
  hints: "The orders come sorted.",
  estimated_turns: 20,
};
const { acceptance_criteria: criteria, ...OTHERS } = PLAN;

/** Task 1 with a gate, task 2 that waits for it, and task 3, a draft that an agent proposed. */
async function givenBoard(context?: Parameters<typeof givenTasks>[0]): Promise<GivenTasks> {
  const given = await givenTasks(context);
  await given.decides(
    createTask({ title: "Schema", gates: [{ command: "npm test", max: 1, timeout_s: 60 }] }),
    createTask({ title: "Export", depends_on: [1] }),
  );
  await given.session(1, "s-0", [
    ["suggest", { what: "Mail it", kind: "new_task", why: "Asked for." }],
    ["partial", { summary: "Half.", remaining: "The rest." }],
  ]);
  return given;
}

async function lastEvent({ project }: GivenTasks) {
  return (await project.log.read((await project.log.head()) - 1, 1))[0];
}

async function proposalId({ project }: GivenTasks): Promise<number> {
  return (await project.queries.inbox()).find(({ kind }) => kind === "proposal")?.id ?? 0;
}

const GATES = ["verify", "verify_max", "verify_timeout"];
const FIELDS = ["title", "description", "priority", "depends_on", ...Object.keys(PLAN), ...GATES];

test.each([
  ["list_tasks", ["filter_status", "filter_feature", "filter_discipline"], undefined],
  ["get_task", ["id"], "id"],
  ["create_task", ["feature", "discipline", "status", ...FIELDS], undefined],
  ["update_task", ["id", ...FIELDS], "id"],
  ["delete_task", ["id"], "id"],
  ["set_task_status", ["id", "status"], "id"],
  ["enrich_task", ["id", "pseudocode", "acceptance_criteria", "context_files", ...GATES], "id"],
])(
  "%s has the parameters of seed 001 and those of gates, and names the task where a recipe may fix it",
  (name, parameters, field) => {
    const tool = tools.find((one) => one.name === name);
    expect(Object.keys(tool?.input.shape ?? {}).sort()).toEqual(parameters.toSorted());
    expect(tool?.target).toEqual(field && { field, of: "task" });
  },
);

describe("gates of an agent", () => {
  const waits = (gates: string) => `A human must approve ${gates} first: until then the task is not ready.`;
  const gate = (command: string, max_attempts = 5, timeout_s = 300) => ({
    ...{ command, max_attempts, timeout_s },
    ...{ approval: "waiting", state: "pending" },
  });

  test("wait for a human with the task that is created, and the answer says so", async () => {
    const { call, project } = await givenTasks();
    const args = { feature: "general", discipline: "general", title: "Export" };
    const created = await call("create_task", { ...args, verify: ["npm test", "tsc"], verify_max: 2 });
    expect(created.structured).toEqual({ id: 1, status: "pending", next: waits("2 gates") });
    expect(await project.queries.task(1)).toMatchObject({
      ready: false,
      gates: [gate("npm test", 2), gate("tsc", 2)],
    });
    const behind = await call("create_task", {
      ...args,
      depends_on: [1],
      verify: ["tsc"],
      verify_timeout: 9,
    });
    expect(behind.structured).toMatchObject({
      next: `It waits for 1 of its dependencies. ${waits("a gate")}`,
    });
    expect(await project.queries.task(2)).toMatchObject({ gates: [gate("tsc", 5, 9)] });
    const draft = await call("create_task", { ...args, status: "draft", verify: ["tsc"] });
    expect(draft.structured).toMatchObject({
      next: `It is a draft: it can be started once it is pending. ${waits("a gate")}`,
    });
  });

  test.each([
    ["update_task", { verify: ["npm run lint"] }, ["gate.declared"]],
    ["update_task", { title: "All", verify: ["npm run lint"] }, ["task.changed", "gate.declared"]],
    ["enrich_task", { pseudocode: "x", verify: ["npm run lint"] }, ["task.enriched", "gate.declared"]],
  ])("are added to a task by %s with %j, in one batch, and take nothing away", async (tool, args, types) => {
    const given = await givenTasks();
    const { call, project, decides } = given;
    const human = { command: "npm test", max: 3, timeout_s: 60 };
    await decides(createTask({ title: "Export", gates: [human] }));
    const head = await project.log.head();
    const { structured } = await call(tool, { id: 1, ...args }, "use-1");
    expect(structured).toMatchObject({ id: 1, next: waits("a gate") });
    if (tool === "update_task") expect(structured).toMatchObject({ changed: Object.keys(args) });
    const events = await project.log.read(head, 10);
    expect(events.map(({ type, actor }) => [type, actor])).toEqual(types.map((type) => [type, "agent"]));
    expect((await project.queries.task(1))?.gates).toMatchObject([
      { command: "npm test", approval: "unneeded" },
      gate("npm run lint"),
    ]);
    // The same use again: nothing more is declared.
    await call(tool, { id: 1, ...args }, "use-1");
    expect(await project.log.head()).toBe(head + types.length);
  });

  test.each([
    [{ verify: [" "] }, "`verify.0`"],
    [{ verify: "npm test" }, '`verify` is "npm test", it must be a list'],
    [{ verify: ["a"], verify_max: 0 }, "`verify_max` is 0, it must be at least 1"],
    [{ verify: ["a"], verify_timeout: 601 }, "`verify_timeout` is 601, it must be at most 600"],
    [{ verify_max: 3 }, "`verify_max` applies to the commands in `verify`, but there are none"],
    [{ verify: [], verify_timeout: 3 }, "`verify_timeout` applies to the commands in `verify`"],
    [{ verify: Array(101).fill("a") }, "`verify` has 101 entries, at most 100 are allowed"],
  ])("are refused as %j", async (args, message) => {
    const given = await givenBoard();
    expect(await refusalOf(given, "update_task", { id: 1, ...args })).toContain(message);
  });

  test("are no part of a review's update_task", async () => {
    const given = await givenTasks({ recipe: "opus_review" });
    await given.decides(createTask({ title: "Export" }));
    const refused = await refusalOf(given, "update_task", { id: 1, verify: ["npm test"] });
    expect(refused).toContain('"verify" is not a field of update_task');
  });
});

describe("create_task", () => {
  test("records all that it is given, as the agent", async () => {
    const given = await givenBoard();
    const { structured } = await given.call("create_task", {
      ...WORK,
      ...PLAN,
      description: "Semicolons.",
      priority: "high",
      status: "draft",
      depends_on: [2, 1],
    });
    expect(structured).toEqual({
      id: 4,
      status: "draft",
      next: "It is a draft: it can be started once it is pending.",
    });
    expect(await lastEvent(given)).toMatchObject({
      type: "task.created",
      actor: "agent",
      correlation: "c-1",
      payload: {
        ...WORK,
        ...OTHERS,
        criteria,
        task: 4,
        description: "Semicolons.",
        priority: "high",
        status: "draft",
        depends_on: [1, 2],
      },
    });
    expect(await given.project.queries.taskRow(4)).toMatchObject({ agent_words: 1, origin: "human" });
  });

  test("makes a pending task, and says whether it is ready", async () => {
    const { call } = await givenBoard();
    expect((await call("create_task", WORK)).structured).toEqual({
      id: 4,
      status: "pending",
      next: "It is ready to be started.",
    });
    expect((await call("create_task", { ...WORK, depends_on: [1, 2] })).structured).toEqual({
      id: 5,
      status: "pending",
      next: "It waits for 2 of its dependencies.",
    });
  });

  test("sent again makes no second task, also when the first was deleted", async () => {
    const { call, decides, project } = await givenBoard();
    const first = await call("create_task", WORK, "toolu_1");
    const head = await project.log.head();
    expect(await call("create_task", WORK, "toolu_1")).toEqual(first);
    expect(await project.log.head()).toBe(head);
    await decides(deleteTask({ task: 4 }));
    expect((await call("create_task", WORK, "toolu_1")).structured).toEqual({
      id: 4,
      status: null,
      next: "It has been deleted since.",
    });
    expect((await call("create_task", WORK, "toolu_2")).structured).toMatchObject({ id: 5 });
  });

  test.each([
    [{ feature: "billing" }, '`feature`: There is no feature "billing". The features are: "general"'],
    [
      { discipline: "art" },
      '`discipline`: There is no discipline "art". The disciplines are: "backend", "general"',
    ],
    [{ depends_on: [4] }, "that would be a circular dependency, 4 → 4"],
    [{ status: "done" }, "legal values are draft, pending"],
    [{ title: "Two\nlines" }, "has more than one line"],
    [{ tags: [" x"] }, "must be a short name"],
    [{ estimated_turns: 0 }, "`estimated_turns` is 0, it must be at least 1"],
    [{ title: "" }, "`title` is blank"],
    [{ accept: "human" }, '"accept" is not a field of create_task'],
  ])("refuses %j", async (fields, message) => {
    expect(await refusalOf(await givenBoard(), "create_task", { ...WORK, ...fields })).toContain(message);
  });

  test("needs a feature, a discipline and a title", async () => {
    const text = await refusalOf(await givenBoard(), "create_task", {});
    for (const field of ["feature", "discipline", "title"]) expect(text).toContain(`\`${field}\` is missing`);
  });
});

describe("update_task", () => {
  test("changes what it is given, and names it", async () => {
    const given = await givenBoard();
    const fields = {
      title: "Export it",
      description: "Tabs.",
      priority: "critical",
      depends_on: [],
      ...PLAN,
    };
    expect((await given.call("update_task", { id: 2, ...fields })).structured).toEqual({
      id: 2,
      changed: [...Object.keys(fields)].sort((a, b) => order(a) - order(b)),
    });
    expect(await lastEvent(given)).toMatchObject({
      type: "task.changed",
      actor: "agent",
      payload: {
        ...OTHERS,
        criteria,
        task: 2,
        title: "Export it",
        description: "Tabs.",
        priority: "critical",
        depends_on: [],
      },
    });
  });

  test("leaves the rest as it is", async () => {
    const { call, project } = await givenBoard();
    await call("update_task", { id: 2, ...PLAN });
    const before = await project.queries.taskRow(2);
    expect((await call("update_task", { id: 2, hints: "" })).structured).toEqual({
      id: 2,
      changed: ["hints"],
    });
    expect(await project.queries.taskRow(2)).toEqual({ ...before, hints: "", updated: expect.any(String) });
  });

  test("of a task on which a session works says that the session has read it before", async () => {
    const { call, session } = await givenBoard();
    await session(1, "s-1", [], false);
    expect((await call("update_task", { id: 1, priority: "low" })).structured).toEqual({
      id: 1,
      changed: ["priority"],
      next: "Session s-1 is working on it and has read the earlier version.",
    });
  });

  test("exchanges no proposal that waits for a human's decision", async () => {
    const given = await givenBoard();
    const { call, project } = given;
    const change = { id: 3, description: "With a link." };
    expect(await refusalOf(given, "update_task", change)).toContain("only a human decides on it");
    expect(await project.queries.taskRow(3)).toMatchObject({ status: "draft", description: "Asked for." });
    await given.decides(approveSuggestion({ id: await proposalId(given) }));
    expect((await call("update_task", change)).isError).toBeFalsy();
  });

  test.each([
    [{ id: 9, title: "x" }, "There is no task 9"],
    [{ id: 1, depends_on: [9] }, "`depends_on`: There is no task 9"],
    [
      { id: 1 },
      "Nothing to change in task 1: give at least one of title, description, priority, acceptance_criteria, depends_on, tags, context_files, output_artifacts, hints, estimated_turns, verify, verify_max, verify_timeout.",
    ],
    [
      { id: 1, status: "done" },
      '"status" is not a field of update_task, it belongs to create_task, set_task_status',
    ],
    [{ id: 1, acceptance_criteria: "x" }, '`acceptance_criteria` is "x", it must be a list'],
  ])("refuses %j", async (args, message) => {
    expect(await refusalOf(await givenBoard(), "update_task", args)).toContain(message);
  });

  test("takes in the recipe opus_review only priority and description", async () => {
    const given = await givenBoard({ recipe: "opus_review" });
    const fields = { priority: "low", description: "Later." };
    await given.call("update_task", { id: 2, ...fields });
    expect(await given.project.queries.taskRow(2)).toMatchObject(fields);
    expect(await refusalOf(given, "update_task", { id: 2, title: "x" })).toContain('"title" is not a field');
    expect(await refusalOf(given, "update_task", { id: 2 })).toMatch(
      /: give at least one of description, priority\.$/,
    );
  });
});

describe("delete_task", () => {
  test("takes the task off the board", async () => {
    const given = await givenBoard();
    expect((await given.call("delete_task", { id: 2 })).structured).toEqual({ deleted: 2 });
    expect(await lastEvent(given)).toMatchObject({ type: "task.deleted", actor: "agent" });
    expect(await given.project.queries.taskRow(2)).toBeUndefined();
    expect(await refusalOf(given, "delete_task", { id: 2 })).toContain("Task 2 was deleted");
  });

  test("names the tasks that depend on it", async () => {
    const given = await givenBoard();
    await given.decides(createTask({ title: "Print", depends_on: [2] }));
    expect(await refusalOf(given, "delete_task", { id: 2 })).toContain("a task that depends on it: 4.");
  });

  test("deletes no proposal that no human decided on", async () => {
    const given = await givenBoard();
    expect(await refusalOf(given, "delete_task", { id: 3 })).toContain("only a human decides on it");
    await given.decides(approveSuggestion({ id: await proposalId(given) }));
    expect(await refusalOf(given, "delete_task", { id: 3 })).toContain("a human has approved it");
    await given.session(3, "s-3", [["partial", { summary: "Half.", remaining: "The rest." }]]);
    expect((await given.call("delete_task", { id: 3 })).structured).toEqual({ deleted: 3 });
  });
});

describe("set_task_status", () => {
  test.each([
    ["draft", "draft", "It is a draft: it can be started once it is pending."],
    ["pending", "pending", "It waits for 1 of its dependencies."],
    ["in_progress", "in_progress", "It can be started once it is pending."],
    ["blocked", "blocked", "It can be started once it is pending."],
    ["skipped", "skipped", "Tasks that depend on it no longer wait for it."],
    ["done", "done", "Tasks that depend on it no longer wait for it."],
    ["completed", "done", "Tasks that depend on it no longer wait for it."],
  ])("to %s makes it %s", async (asked, status, next) => {
    const given = await givenBoard();
    expect((await given.call("set_task_status", { id: 2, status: asked })).structured).toEqual({
      id: 2,
      status,
      next,
    });
    expect(await lastEvent(given)).toMatchObject({
      type: "task.status_set",
      actor: "agent",
      payload: { task: 2, status },
    });
  });

  test.each(["failed", "needs_input", "ready"])("takes no %s", async (status) => {
    expect(await refusalOf(await givenBoard(), "set_task_status", { id: 2, status })).toContain(
      "legal values are draft, pending, in_progress, done, completed, blocked, skipped",
    );
  });

  test.each([
    ["done", "call done"],
    ["pending", "call partial"],
    ["blocked", "Call blocked"],
    ["skipped", "Call stuck"],
  ])("to %s of the agent's own running task is refused, and names the verb", async (status, verb) => {
    const given = await givenBoard({ recipe: "task_execution", task_id: 2, session_id: "s-own" });
    await given.decides(startSession({ task: 2, session: "s-own", force: true }));
    const text = await refusalOf(given, "set_task_status", { id: 2, status });
    expect(text).toContain("Your session s-own is running on task 2");
    expect(text).toContain(verb);
    expect(await given.project.queries.taskRow(2)).toMatchObject({ status: "in_progress" });
  });

  test("knows a session that was started through the server for its own", async () => {
    const given = await givenBoard();
    await given.call("create_ralph_session", { taskId: 1 });
    expect(await refusalOf(given, "set_task_status", { id: 1, status: "done" })).toContain("Your session");
  });

  test("to done needs every gate passed or skipped", async () => {
    const given = await givenBoard();
    for (const status of ["done", "completed"])
      expect(await refusalOf(given, "set_task_status", { id: 1, status })).toContain(
        "gate 1 (npm test) is pending",
      );
    await given.decides(recordGateAttempt({ task: 1, gate: 1, exit_code: 0 }));
    expect((await given.call("set_task_status", { id: 1, status: "done" })).isError).toBe(false);
  });

  test("to done is refused where a human is to accept the work", async () => {
    const given = await givenBoard();
    await given.decides(createTask({ title: "Audit", accept: "human" }));
    expect(await refusalOf(given, "set_task_status", { id: 4, status: "done" })).toContain(
      "Task 4 cannot be set done by an agent: a human must accept its work",
    );
  });

  test("decides no proposal, and undoes no decision on one before its next session", async () => {
    const given = await givenBoard();
    for (const status of ["pending", "done", "skipped", "draft"])
      expect(await refusalOf(given, "set_task_status", { id: 3, status })).toContain(
        "only a human decides on it",
      );
    await given.decides(approveSuggestion({ id: await proposalId(given) }));
    expect(await refusalOf(given, "set_task_status", { id: 3, status: "draft" })).toContain(
      "a human has approved it",
    );
    await given.session(3, "s-3", [["partial", { summary: "Half.", remaining: "The rest." }]]);
    expect((await given.call("set_task_status", { id: 3, status: "draft" })).structured).toMatchObject({
      status: "draft",
    });
  });
});

test("an agent dismisses no question by a status", async () => {
  const given = await givenBoard();
  await given.session(2, "s-1", [
    ["ask", { question: "Drop the column?", blocking: true }],
    ["partial", { summary: "Half.", remaining: "The rest." }],
  ]);
  const before = await given.project.queries.inbox();
  for (const status of ["pending", "skipped"])
    expect(await refusalOf(given, "set_task_status", { id: 2, status })).toContain(
      "only a human decides on that",
    );
  expect(await given.project.queries.inbox()).toEqual(before);
});

describe("enrich_task", () => {
  const pseudocode = "for each order: write a line";

  test("makes a draft pending, with all that it is given", async () => {
    const given = await givenBoard();
    await given.decides(createTask({ title: "Audit", status: "draft" }));
    const { acceptance_criteria, context_files } = PLAN;
    const args = { id: 4, pseudocode, acceptance_criteria, context_files };
    expect((await given.call("enrich_task", args)).structured).toEqual({
      id: 4,
      status: "pending",
      next: "It is ready to be started.",
    });
    expect(await lastEvent(given)).toMatchObject({
      type: "task.enriched",
      actor: "agent",
      payload: { task: 4, pseudocode, criteria, context_files },
    });
  });

  test("fills a proposal and leaves it to a human", async () => {
    const { call, project } = await givenBoard();
    expect((await call("enrich_task", { id: 3, pseudocode })).structured).toEqual({
      id: 3,
      status: "draft",
      next: "An agent proposed it: it stays a draft until a human decides on it.",
    });
    expect((await project.queries.inbox()).map(({ kind }) => kind)).toContain("proposal");
  });

  test.each([
    [{ id: 9, pseudocode }, "There is no task 9"],
    [{ id: 3 }, "`pseudocode` is missing"],
    [{ id: 3, pseudocode: " " }, "`pseudocode` is blank"],
    [
      { id: 3, pseudocode, hints: "x" },
      '"hints" is not a field of enrich_task, it belongs to create_task, update_task',
    ],
  ])("refuses %j", async (args, message) => {
    expect(await refusalOf(await givenBoard(), "enrich_task", args)).toContain(message);
  });
});

/** Where a field of update_task stands in its schema. */
function order(field: string): number {
  const update = tools.find(({ name }) => name === "update_task");
  return Object.keys(update?.input.shape ?? {}).indexOf(field);
}
