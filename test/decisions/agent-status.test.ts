import { describe, expect, test } from "vitest";
import {
  changeTaskAsAgent,
  deleteTaskAsAgent,
  setTaskStatusAsAgent,
} from "../../src/decisions/agent-status.ts";
import { actOnGate, recordGateAttempt } from "../../src/decisions/gates.ts";
import { answerQuestion, approveSuggestion, dismissItem } from "../../src/decisions/inbox.ts";
import { endSession, startSession } from "../../src/decisions/sessions.ts";
import { changeTask, createTask, setTaskStatus } from "../../src/decisions/tasks.ts";
import { type TaskStatus, taskStatuses } from "../../src/events/types/fields.ts";
import { type Asked, BLOCKER, DRAFT, givenProject, PROPOSAL, QUESTION } from "./given.ts";
import { expectRefused } from "./refused.ts";

/** An agent whose own session is s-own. */
const sets = (task: number, status: TaskStatus) =>
  setTaskStatusAsAgent({ task, status }, (session) => session === "s-own");

const own = startSession({ task: 2, session: "s-own", force: true });
const passed = recordGateAttempt({ task: 1, gate: 1, exit_code: 0 });
const failed = recordGateAttempt({ task: 1, gate: 1, exit_code: 1 });
const proposal =
  "Task 3 is a draft that an agent proposed, and only a human decides on it (`signalbox inbox approve 8`, or reject). " +
  "enrich_task may fill it; it stays a draft.";

describe("an agent may not set the status", () => {
  test.each([
    ["draft", "If work remains, call partial; if you cannot go on, call stuck."],
    ["pending", "If work remains, call partial; if you cannot go on, call stuck."],
    ["in_progress", "It is in progress already; close it with done, partial or stuck."],
    ["needs_input", "Call ask with blocking true, then partial."],
    ["blocked", "Call blocked, then partial or stuck."],
    ["done", "If the work is complete, call done."],
    ["failed", "Call stuck with the reason."],
    ["skipped", "Call stuck with the reason why the work should not be done."],
  ] as const)("of its own running task to %s, and is told the verb", async (status, instead) => {
    expect.hasAssertions();
    const message = `Task 2 is your own, and your session s-own runs: what you report decides the status. ${instead}`;
    await expectRefused(["", [own], sets(2, status), "session_open", message]);
  });

  test("of a task on which somebody else works", async () => {
    expect.hasAssertions();
    await expectRefused([
      "",
      [startSession({ task: 2, session: "s-9", force: true })],
      sets(2, "skipped"),
      "session_open",
      "Session s-9 works on task 2 now, and its end decides the status. Leave the task as it is.",
    ]);
  });

  test.each(taskStatuses)(
    "of a draft that an agent proposed and no human decided on, to %s",
    async (status) => {
      expect.hasAssertions();
      await expectRefused(["", [], sets(DRAFT, status), "not_possible", proposal]);
    },
  );

  test.each([
    ["pending", []],
    ["escalated", [failed]],
    ["aborted", [failed, actOnGate({ task: 1, gate: 1, action: "abort" })]],
  ])("to done while a gate is %s", async (state, before) => {
    expect.hasAssertions();
    await expectRefused([
      "",
      before,
      sets(1, "done"),
      "not_possible",
      `Task 1 cannot be set done by an agent: gate 1 (npm test) is ${state}. It is done when a session closes with done and every gate has passed.`,
    ]);
  });

  test.each([
    ["is to accept it", [createTask({ title: "Four", accept: "human" })]],
    [
      "was to accept it when the work was done",
      [
        createTask({ title: "Four", accept: "human" }),
        startSession({ task: 4, session: "s-4" }),
        { session: "s-4", task: 4, verb: "done" as const, args: { summary: "Done." } },
        endSession({ session: "s-4", exit: "exited" }),
        changeTask({ task: 4, accept: "auto" }),
      ],
    ],
  ])("to done where a human %s", async (_when, before) => {
    expect.hasAssertions();
    await expectRefused([
      "",
      before,
      sets(4, "done"),
      "not_possible",
      "Task 4 cannot be set done by an agent: a human is to accept it (`signalbox inbox accept 4`).",
    ]);
  });

  const answered = answerQuestion({ id: QUESTION, answer: "Spaces." });
  const cleared: Asked[] = [answered, (state) => dismissItem({ id: BLOCKER }, state)];
  test.each([
    ["a question and a blocker are", [], "question 6 is open, blocker 7 is open"],
    ["a blocker is", [answered], "blocker 7 is open"],
    ["an escalated gate is", [...cleared, failed], "gate 1 (npm test) is escalated"],
    [
      "an aborted gate is",
      [...cleared, failed, actOnGate({ task: 1, gate: 1, action: "abort" })],
      "gate 1 (npm test) is aborted",
    ],
  ])("to pending or skipped while %s left to a human", async (_what, before, waiting) => {
    expect.hasAssertions();
    for (const status of ["pending", "skipped"] as const) {
      await expectRefused([
        "",
        before,
        sets(1, status),
        "not_possible",
        `Task 1 cannot be set ${status} by an agent: ${waiting}, and only a human decides on that ` +
          `(\`signalbox inbox\`, or \`signalbox task set 1 --status ${status}\`).`,
      ]);
    }
  });

  test("of a task that is not there", async () => {
    expect.hasAssertions();
    const message = "There is no task 9; `signalbox task list` shows those there are.";
    await expectRefused(["", [], sets(9, "done"), "not_found", message]);
  });

  test.each(taskStatuses.filter((status) => status !== "done"))(
    "of a task whose work a human is to accept, to %s",
    async (status) => {
      expect.hasAssertions();
      const message = `Task 4 cannot be set ${status} by an agent: a human is to accept its work, and only a human decides on that (\`signalbox inbox\`, or \`signalbox task set 4 --status ${status}\`).`;
      await expectRefused([
        "",
        [
          createTask({ title: "Four", accept: "human" }),
          startSession({ task: 4, session: "s-4" }),
          { session: "s-4", task: 4, verb: "done", args: { summary: "All." } },
          endSession({ session: "s-4", exit: "exited" }),
        ],
        sets(4, status),
        "not_possible",
        message,
      ]);
    },
  );
});

describe("an agent may set the status", () => {
  test.each([
    ["to done where every gate has passed", [passed], sets(1, "done")],
    [
      "to done where a human let the gate off",
      [failed, actOnGate({ task: 1, gate: 1, action: "skip" })],
      sets(1, "done"),
    ],
    [
      "of what a human is to accept, to another than done",
      [changeTask({ task: 2, accept: "human" })],
      sets(2, "skipped"),
    ],
    ["of a task with an open gate, to another than done", [], sets(1, "blocked")],
    [
      "of its own task, once the session has ended",
      [own, endSession({ session: "s-own", exit: "exited" })],
      sets(2, "pending"),
    ],
    [
      "to pending, where a human decided on all that waited",
      [
        answerQuestion({ id: QUESTION, answer: "Spaces." }),
        (state) => dismissItem({ id: BLOCKER }, state),
        failed,
        actOnGate({ task: 1, gate: 1, action: "skip" }),
      ],
      sets(1, "pending"),
    ],
    ["of a proposal that a human approved", [approveSuggestion({ id: PROPOSAL })], sets(DRAFT, "draft")],
    ["of a draft that nobody proposed", [createTask({ title: "Four", status: "draft" })], sets(4, "pending")],
  ] satisfies [string, Asked[], ReturnType<typeof sets>][])("%s", async (_what, before, asked) => {
    const { does, decides } = await givenProject();
    await does(...before);
    expect(await decides(asked)).toMatchObject([{ type: "task.status_set", payload: asked.input }]);
  });

  test("and a human may set any", async () => {
    const { decides } = await givenProject();
    for (const asked of [
      setTaskStatus({ task: DRAFT, status: "pending" }),
      setTaskStatus({ task: 1, status: "done" }),
    ])
      expect(await decides(asked)).toMatchObject([{ type: "task.status_set", payload: asked.input }]);
  });
});

describe("an agent may delete", () => {
  test("no proposal that no human decided on, which would decide it", async () => {
    expect.hasAssertions();
    await expectRefused(["", [], deleteTaskAsAgent({ task: DRAFT }), "not_possible", proposal]);
  });

  test.each([
    ["a proposal that a human decided on", [approveSuggestion({ id: PROPOSAL })], DRAFT],
    ["any other task", [], 2],
  ])("%s", async (_what, before, task) => {
    const { does, decides } = await givenProject();
    await does(...before);
    expect(await decides(deleteTaskAsAgent({ task }))).toMatchObject([
      { type: "task.deleted", payload: { task } },
    ]);
  });

  test("no task on which a session works", async () => {
    expect.hasAssertions();
    await expectRefused([
      "",
      [own],
      deleteTaskAsAgent({ task: 2 }),
      "session_open",
      "Session s-own works on task 2 now. Leave the task as it is; it can be deleted when that session has ended.",
    ]);
  });

  test("no task that others depend on", async () => {
    const { decides } = await givenProject();
    await expect(decides(deleteTaskAsAgent({ task: 1 }))).rejects.toThrow("that depends on it: 2");
  });
});

describe("an agent may change", () => {
  const change = { title: "Upload the keys", description: "At once." };

  test("no proposal that no human decided on, who would decide on other words than were proposed", async () => {
    expect.hasAssertions();
    await expectRefused(["", [], changeTaskAsAgent({ task: DRAFT, ...change }), "not_possible", proposal]);
  });

  test.each([
    ["a proposal that a human approved", [approveSuggestion({ id: PROPOSAL })], DRAFT],
    ["any other task", [], 2],
  ])("%s", async (_what, before, task) => {
    const { does, decides } = await givenProject();
    await does(...before);
    expect(await decides(changeTaskAsAgent({ task, ...change }))).toMatchObject([
      { type: "task.changed", payload: { task, ...change } },
    ]);
  });

  test("a proposal may a human", async () => {
    const { decides } = await givenProject();
    expect(await decides(changeTask({ task: DRAFT, ...change }))).toMatchObject([{ type: "task.changed" }]);
  });
});
