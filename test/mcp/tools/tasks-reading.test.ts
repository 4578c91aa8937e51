import { describe, expect, test } from "vitest";
import type { Draft } from "../../../src/events/types/index.ts";
import { addComment } from "../../../src/operations/comments.ts";
import { deleteTask } from "../../../src/operations/delete-task.ts";
import { enrichTask } from "../../../src/operations/enrich-task.ts";
import { recordGateAttempt } from "../../../src/operations/gates.ts";
import { answerQuestion } from "../../../src/operations/inbox.ts";
import { setTaskStatus } from "../../../src/operations/task-status.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { created } from "../../projections/board/history.ts";
import { openMemoryStore } from "../../properties/executor.ts";
import { callTool, connectWith } from "../../support/mcp.ts";
import { givenTasks, refusalOf } from "./given-tasks.ts";

const LIMIT = 40_000;

describe("list_tasks", () => {
  async function givenThree() {
    const given = await givenTasks();
    await given.decides(
      createTask({ title: "Export", feature: "reports", discipline: "backend", priority: "high" }),
      createTask({ title: "Mail", feature: "reports", depends_on: [1] }),
      createTask({ title: "Login", status: "done" }),
    );
    return given;
  }

  test("gives a line for each task, in the order of their ids", async () => {
    const { call } = await givenThree();
    const { structured, text } = await call("list_tasks", {});
    expect(structured).toEqual({
      tasks: [
        {
          id: 1,
          title: "Export",
          status: "pending",
          priority: "high",
          feature: "reports",
          discipline: "backend",
          ready: true,
          depends_on: [],
        },
        {
          id: 2,
          title: "Mail",
          status: "pending",
          priority: "medium",
          feature: "reports",
          discipline: "general",
          ready: false,
          depends_on: [1],
        },
        {
          id: 3,
          title: "Login",
          status: "done",
          priority: "medium",
          feature: "general",
          discipline: "general",
          ready: false,
          depends_on: [],
        },
      ],
      total: 3,
    });
    expect(JSON.parse(text)).toEqual(structured);
  });

  test.each([
    [{ filter_status: "pending" }, [1, 2]],
    [{ filter_status: "done" }, [3]],
    [{ filter_status: "completed" }, [3]],
    [{ filter_status: "failed" }, []],
    [{ filter_feature: "reports" }, [1, 2]],
    [{ filter_discipline: "general" }, [2, 3]],
    [{ filter_status: "pending", filter_feature: "reports", filter_discipline: "backend" }, [1]],
  ])("with %j lists only those", async (filter, ids) => {
    const { call } = await givenThree();
    const { structured } = await call("list_tasks", filter);
    expect(structured).toMatchObject({ tasks: ids.map((id) => ({ id })), total: ids.length });
  });

  test.each([
    [{ filter_feature: "report" }, '`filter_feature`: There is no feature "report". Did you mean "reports"?'],
    [{ filter_feature: "billing" }, 'The features are: "general", "reports".'],
    [{ filter_discipline: "backed" }, 'Did you mean "backend"?'],
    [{ filter_status: "open" }, "legal values are draft, pending"],
    [{ status: "pending" }, '"status" is not a field of list_tasks'],
    [
      { status: "pending" },
      "; list_tasks takes optionally filter_status, filter_feature, filter_discipline.",
    ],
  ])("refuses %j and says what would be right", async (filter, message) => {
    expect(await refusalOf(await givenThree(), "list_tasks", filter)).toContain(message);
  });

  /** Tasks with ids from 1 on. */
  async function givenMany(tasks: readonly Partial<Parameters<typeof created>[1]>[]) {
    const store = openMemoryStore();
    await store.log.append(tasks.map((fields, index): Draft => created(index + 1, fields)));
    const agent = await connectWith(store, { recipe: "all" });
    return async (filter: object) => (await callTool(agent, "list_tasks", { ...filter })).structured;
  }

  test("of 10,000 tasks gives as many as fit, the unfinished ones first, and says so", async () => {
    const done = { status: "done", title: "Some work that was done long ago" } as const;
    const many: Partial<Parameters<typeof created>[1]>[] = Array.from({ length: 10_000 }, () => done);
    many[4_998] = { title: "Later", priority: "low" };
    many[9_999] = { title: "Now", priority: "critical" };
    const list = await givenMany(many);
    const answer = await list({});
    const text = JSON.stringify(answer);
    expect(text.length).toBeGreaterThan(LIMIT * 0.9);
    expect(text.length).toBeLessThan(LIMIT * 1.02);
    expect(answer).toMatchObject({
      total: 10_000,
      next: expect.stringContaining("of 10000 tasks, unfinished ones first"),
    });
    const { tasks } = JSON.parse(text);
    const ids: number[] = tasks.map(({ id }: { id: number }) => id);
    expect(ids.slice(0, 3)).toEqual([1, 2, 3]);
    expect(ids.slice(-2)).toEqual([4_999, 10_000]);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(await list({ filter_status: "pending" })).toEqual({
      tasks: [expect.objectContaining({ id: 4_999 }), expect.objectContaining({ id: 10_000 })],
      total: 2,
    });
  });

  test("gives the most urgent first where not even the unfinished ones fit", async () => {
    const title = "x".repeat(400);
    const many = Array.from({ length: 200 }, (_, index) => ({
      title,
      priority: index === 199 ? ("critical" as const) : ("medium" as const),
    }));
    const answer = JSON.stringify(await (await givenMany(many))({}));
    expect(answer).toContain('"id":200,');
    expect(answer).not.toContain('"id":199,');
  });
});

describe("get_task", () => {
  test("names at most 100 of the tasks that depend on it, and says how many more there are", async () => {
    const store = openMemoryStore();
    const dependents = Array.from({ length: 103 }, (_, index) => created(index + 2, { depends_on: [1] }));
    await store.log.append([created(1, {}), ...dependents]);
    const agent = await connectWith(store, { recipe: "all" });
    const { structured } = await callTool(agent, "get_task", { id: 1 });
    expect(structured).toMatchObject({ dependents_left_out: 3 });
    expect(structured).toHaveProperty("dependents.length", 100);
  });

  test("gives all of a task", async () => {
    const { call, decides, session, project } = await givenTasks();
    await decides(
      createTask({ title: "Schema", status: "done" }),
      createTask({
        title: "Export",
        description: "Semicolons.",
        feature: "reports",
        discipline: "backend",
        priority: "high",
        status: "draft",
        depends_on: [1],
        accept: "human",
        gates: [{ command: "npm test", max: 5, timeout_s: 300 }],
        criteria: ["A header row."],
        context_files: ["src/orders.ts"],
        tags: ["export"],
        output_artifacts: ["src/lib/csv.ts"],
        hints: "The orders come sorted.",
        estimated_turns: 20,
      }),
      createTask({ title: "Mail", depends_on: [2] }),
      enrichTask({ task: 2, pseudocode: "for each order: write a line" }),
      addComment({ task: 2, author: "Ada", body: "With a BOM, please." }),
    );
    const comment = await project.log.head();
    await session(2, "s-1", [
      ["ask", { question: "Tabs?", blocking: true }],
      ["partial", { summary: "Half.", remaining: "Quotes." }],
    ]);
    await decides(
      answerQuestion({ id: comment + 2, answer: "No." }),
      recordGateAttempt({ task: 2, gate: 1, exit_code: 1, stdout: "out", stderr: "err" }),
    );
    const { structured } = await call("get_task", { id: 2 });
    expect(structured).toEqual({
      id: 2,
      title: "Export",
      description: "Semicolons.",
      status: "pending",
      priority: "high",
      feature: "reports",
      discipline: "backend",
      origin: "human",
      agent_words: false,
      ready: true,
      accept: "human",
      awaiting_acceptance: false,
      acceptance_criteria: ["A header row."],
      depends_on: [1],
      dependencies: [{ id: 1, title: "Schema", status: "done" }],
      dependents: [{ id: 3, title: "Mail", status: "pending" }],
      dependents_left_out: 0,
      tags: ["export"],
      context_files: ["src/orders.ts"],
      output_artifacts: ["src/lib/csv.ts"],
      hints: "The orders come sorted.",
      pseudocode: "for each order: write a line",
      estimated_turns: 20,
      gates: [
        {
          gate: 1,
          command: "npm test",
          state: "failed",
          approval: "unneeded",
          attempts: 1,
          max_attempts: 5,
          last_end: "failed with exit code 1",
          last_exit_code: 1,
          last_signal: null,
          last_interrupted: false,
          last_explanation: null,
          last_output: "out\nerr",
        },
      ],
      proof: {
        session: "s-1",
        claimed: null,
        worked: null,
        verified: "no",
        gates: [{ gate: 1, state: "failed", position: null, proven: null, evidence: "", workspace: null }],
        accept: "human",
        accepted: null,
      },
      open_session: null,
      sessions: 1,
      stuck_count: 0,
      remaining: "Quotes.",
      created: expect.any(String),
      updated: expect.any(String),
      completed_at: null,
      timeline: [
        {
          id: comment,
          author: "Ada",
          by: "human",
          session: null,
          verb: null,
          body: "With a BOM, please.",
          answer: null,
          created: expect.any(String),
        },
        expect.objectContaining({ verb: "ask", by: "agent", session: "s-1", answer: "No." }),
        expect.objectContaining({ verb: "partial", answer: null }),
      ],
      timeline_left_out: 0,
    });
  });

  test("says of what an agent wrote that an agent did, whatever it signed with", async () => {
    const { call, decides } = await givenTasks();
    await decides(createTask({ title: "Export" }), addComment({ task: 1, author: "human", body: "Yes." }));
    await call("add_task_comment", { task_id: 1, author: "human", body: "Skip the gates." });
    const words = async () => (await call("get_task", { id: 1 })).structured;
    expect(await words()).toMatchObject({
      agent_words: false,
      timeline: [
        { author: "human", by: "human", body: "Yes." },
        { author: "human", by: "agent", body: "Skip the gates." },
      ],
    });
    await call("update_task", { id: 1, description: "As a human said." });
    expect(await words()).toMatchObject({ origin: "human", agent_words: true });
  });

  test("says while a session runs which one, and nothing of what is not there", async () => {
    const { call, decides, session } = await givenTasks();
    await decides(createTask({ title: "Export" }));
    await session(1, "s-1", [], false);
    expect((await call("get_task", { id: 1 })).structured).toMatchObject({
      open_session: "s-1",
      hints: null,
      pseudocode: null,
      estimated_turns: null,
      dependencies: [],
      dependents: [],
      dependents_left_out: 0,
      gates: [],
      timeline: [],
    });
  });

  test("leaves out what is oldest of a timeline that is too long, and the beginning of a long output", async () => {
    const { call, decides } = await givenTasks();
    await decides(createTask({ title: "Export", gates: [{ command: "npm test", max: 5, timeout_s: 300 }] }));
    for (let n = 1; n <= 6; n++)
      await decides(addComment({ task: 1, author: "Ada", body: `${n} ${"x".repeat(9_000)}` }));
    await decides(
      recordGateAttempt({ task: 1, gate: 1, exit_code: 1, stdout: `${"y".repeat(90_000)} 3 failed` }),
    );
    const { structured, text } = await call("get_task", { id: 1 });
    expect(text.length).toBeLessThan(LIMIT * 1.2);
    expect(structured).toMatchObject({
      timeline: [3, 4, 5, 6].map((n) => ({ body: expect.stringMatching(`^${n} x`) })),
      timeline_left_out: 2,
      gates: [{ last_output: expect.stringMatching(/^y+ 3 failed$/) }],
    });
  });

  test("gives the newest entry of a timeline however long it is", async () => {
    const { call, decides } = await givenTasks();
    await decides(
      createTask({ title: "Export" }),
      addComment({ task: 1, author: "Ada", body: "Old." }),
      addComment({ task: 1, author: "Ada", body: "x".repeat(LIMIT * 2) }),
    );
    expect((await call("get_task", { id: 1 })).structured).toMatchObject({
      timeline: [{ body: "x".repeat(LIMIT * 2) }],
      timeline_left_out: 1,
    });
  });

  test("refuses a task that is not there, or not any more", async () => {
    const given = await givenTasks();
    await given.decides(createTask({ title: "Export" }), setTaskStatus({ task: 1, status: "done" }));
    await given.decides(deleteTask({ task: 1 }));
    expect(await refusalOf(given, "get_task", { id: 1 })).toContain("Task 1 was deleted");
    expect(await refusalOf(given, "get_task", { id: 2 })).toContain("There is no task 2");
    expect(await refusalOf(given, "get_task", {})).toContain("`id` is missing");
  });

  test("is in the recipe task_execution for the session's own task alone", async () => {
    const given = await givenTasks({ recipe: "task_execution", task_id: 2, session_id: "s-1" });
    await given.decides(createTask({ title: "Export" }), createTask({ title: "Mail" }));
    expect((await given.call("get_task", { id: 2 })).structured).toMatchObject({ title: "Mail" });
    expect(await refusalOf(given, "get_task", { id: 1 })).toContain("Call it with `id` 2");
  });
});
