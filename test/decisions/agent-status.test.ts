import { describe, expect, test } from "vitest";
import { type TaskStatus, taskStatuses } from "../../src/events/types/fields.ts";
import type { GateDeclaration } from "../../src/events/types/gates.ts";
import { acceptTask, sendBackTask } from "../../src/operations/acceptance.ts";
import { addComment } from "../../src/operations/comments.ts";
import { deleteTask } from "../../src/operations/delete-task.ts";
import { enrichTask } from "../../src/operations/enrich-task.ts";
import { actOnGate, recordGateAttempt } from "../../src/operations/gates.ts";
import { answerQuestion, dismissItem, resolveBlocker } from "../../src/operations/inbox.ts";
import { acknowledgeFlag } from "../../src/operations/inbox-flags.ts";
import { approveSuggestion, rejectSuggestion } from "../../src/operations/inbox-proposals.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { setTaskStatus } from "../../src/operations/task-status.ts";
import { changeTask, createTask, type TaskChange } from "../../src/operations/tasks.ts";
import { BLOCKER, type ByAgent, DRAFT, givenProject, type Happens, PROPOSAL, QUESTION } from "./given.ts";
import { expectRefused } from "./refused.ts";

const sets = (task: number, status: TaskStatus) => ({ byAgent: setTaskStatus({ task, status }) });
const deletes = (task: number) => ({ byAgent: deleteTask({ task }) });
const enriches = (task: number, pseudocode: string) => ({ byAgent: enrichTask({ task, pseudocode }) });
const changes = (change: TaskChange) => ({ byAgent: changeTask(change) });

const own = startSession({ task: 2, session: "s-own", force: true });
const passed = recordGateAttempt({ task: 1, gate: 1, exit_code: 0 });
const failed = recordGateAttempt({ task: 1, gate: 1, exit_code: 1 });
const proposal =
  "Task 3 is a draft that an agent proposed; only a human decides on it (`signalbox inbox approve 8`, or reject). " +
  "enrich_task may fill it in; it stays a draft.";

const left = (task: number, status: TaskStatus | undefined, why: string) =>
  `Task ${task} cannot be ${status ? `set ${status}` : "deleted"} by an agent: ${why}, and only a human decides on that ` +
  `(\`signalbox inbox\`, or \`signalbox task ${status ? `set ${task} --status ${status}` : `delete ${task}`}\`).`;

const answered: Happens[] = [answerQuestion({ id: QUESTION, answer: "Spaces." })];
const cleared: Happens[] = [...answered, dismissItem({ id: BLOCKER })];
/** The next session has read what was decided. */
const read: Happens[] = [
  startSession({ task: 1, session: "s-2", force: true }),
  { session: "s-2", task: 1, verb: "partial", args: { summary: "Half.", remaining: "The rest." } },
  endSession({ session: "s-2", exit: "exited" }),
];
const saidDone = (...gates: GateDeclaration[]): Happens[] => [
  createTask({ title: "Four", accept: gates.length > 0 ? "auto" : "human", gates }),
  startSession({ task: 4, session: "s-4" }),
  ...gates.map(() => recordGateAttempt({ task: 4, gate: 1, exit_code: 1 })),
  { session: "s-4", task: 4, verb: "done", args: { summary: "All." } },
  endSession({ session: "s-4", exit: "exited" }),
];
const awaited = saidDone();
const letOff = [
  ...saidDone({ command: "npm test", max: 1, timeout_s: 60 }),
  actOnGate({ task: 4, gate: 1, action: "skip" }),
];

async function refusalOf(before: readonly Happens[], asked: ByAgent): Promise<string> {
  const { decides, does } = await givenProject();
  await does(...before);
  return decides(asked).then(String, ({ message }) => message);
}

/** A task with something that is left to a human, and why an agent is refused; deleting it, also for what a session went on from. */
type Kept = readonly [what: string, before: readonly Happens[], why: string, whyNotDeleted?: string];
const acts = "question 6 was answered by a human, blocker 7 was dismissed by a human";

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
    const message = `Your session s-own is running on task 2, and your reports decide its status. ${instead}`;
    await expectRefused(["", [own], sets(2, status), "session_open", message]);
  });

  test("of a task on which somebody else works", async () => {
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
      await expectRefused(["", [], sets(DRAFT, status), "not_possible", proposal]);
    },
  );

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
    await expectRefused([
      "",
      before,
      sets(4, "done"),
      "not_possible",
      left(4, "done", "a human must accept its work"),
    ]);
  });

  test.each([
    [
      "a question and a blocker are open",
      [],
      "question 6 is open, blocker 7 is open, gate 1 (npm test) is pending",
    ],
    [
      "a blocker is open",
      [...answered, ...read],
      "blocker 7 is open, gate 1 (npm test) is pending",
      "blocker 7 is open, question 6 was answered by a human, gate 1 (npm test) is pending",
    ],
    [
      "a gate is pending",
      [...cleared, ...read],
      "gate 1 (npm test) is pending",
      `${acts}, gate 1 (npm test) is pending`,
    ],
    [
      "a gate is escalated",
      [...cleared, ...read, failed],
      "gate 1 (npm test) is escalated",
      `${acts}, gate 1 (npm test) is escalated`,
    ],
    [
      "a gate is aborted",
      [...cleared, ...read, failed, actOnGate({ task: 1, gate: 1, action: "abort" })],
      "gate 1 (npm test) is aborted",
      `${acts}, gate 1 (npm test) is aborted`,
    ],
    ["answers can still be taken back", [...cleared, passed], acts],
  ] satisfies readonly Kept[])(
    "to done, pending, skipped or draft where %s, and deletes no such task",
    async (_what, before, why, whyNotDeleted = why) => {
      for (const status of ["done", "pending", "skipped", "draft"] as const)
        await expectRefused(["", before, sets(1, status), "not_possible", left(1, status, why)]);
      const alone = [...before, changeTask({ task: 2, depends_on: [] })];
      const refusal = left(1, undefined, whyNotDeleted);
      await expectRefused(["", alone, deletes(1), "not_possible", refusal]);
    },
  );

  test("to done or skipped where the open blocker of another task would be resolved by that", async () => {
    const before: Happens[] = [
      createTask({ title: "Four" }),
      startSession({ task: 4, session: "s-4" }),
      { session: "s-4", task: 4, verb: "blocked", args: { on: "task 2", kind: "upstream_task" } },
      endSession({ session: "s-4", exit: "exited" }),
    ];
    const why = "that would resolve blocker 13 of task 4";
    for (const status of ["done", "skipped"] as const) {
      await expectRefused(["", before, sets(2, status), "not_possible", left(2, status, why)]);
      const behind = [...before, resolveBlocker({ id: 13 })];
      await expectRefused(["", behind, sets(2, status), "not_possible", left(2, status, why)]);
    }
  });

  test.each([
    ["approved it", DRAFT, [approveSuggestion({ id: PROPOSAL })], "a human has approved it"],
    ["rejected it", DRAFT, [rejectSuggestion({ id: PROPOSAL })], "a human has rejected it"],
    [
      "decided on it by its status",
      DRAFT,
      [setTaskStatus({ task: DRAFT, status: "skipped" })],
      "a human has rejected it",
    ],
    ["accepted its work", 4, [...awaited, acceptTask({ task: 4 })], "a human has accepted its work"],
    [
      "sent its work back",
      4,
      [...awaited, sendBackTask({ task: 4, comment: "Not yet." }), changeTask({ task: 4, accept: "auto" })],
      "a human has sent its work back",
    ],
    ["let off the gate in the way of its done", 4, letOff, "a human skipped the gate that was in its way"],
  ])(
    "of a task after a human %s, to whatever it may be, and deletes no such task",
    async (_what, task, before, why) => {
      for (const status of ["draft", "pending", "in_progress", "blocked", "skipped"] as const)
        await expectRefused(["", before, sets(task, status), "not_possible", left(task, status, why)]);
      await expect(refusalOf(before, deletes(task))).resolves.toContain(why);
    },
  );

  test("of a task whose flag a human acknowledged: it deletes no such task, since that could not be taken back", async () => {
    expect.hasAssertions();
    const flag = { what: "Old.", severity: "blocking", category: "stale" };
    const before: Happens[] = [
      createTask({ title: "Four" }),
      startSession({ task: 4, session: "s-4" }),
      { session: "s-4", task: 4, verb: "flag", args: flag },
      endSession({ session: "s-4", exit: "exited" }),
      acknowledgeFlag({ id: 13 }),
    ];
    const why = "flag 13 was acknowledged by a human";
    await expectRefused(["", before, deletes(4), "not_possible", left(4, undefined, why)]);
  });

  test("of a task that is not there", async () => {
    const message = "There is no task 9. Run `signalbox task list` to see all tasks.";
    await expectRefused(["", [], sets(9, "done"), "not_found", message]);
  });

  test.each(taskStatuses.filter((status) => status !== "done"))(
    "of a task whose work a human is to accept, to %s",
    async (status) => {
      const message = left(4, status, "a human must accept its work");
      await expectRefused(["", awaited, sets(4, status), "not_possible", message]);
    },
  );
});

describe("an agent may set the status", () => {
  test.each([
    ["to done where every gate has passed", [...cleared, ...read, passed], sets(1, "done")],
    [
      "to done where a human let the gate off",
      [...cleared, ...read, failed, actOnGate({ task: 1, gate: 1, action: "skip" })],
      sets(1, "done"),
    ],
    [
      "of what a human is to accept, to another than done",
      [changeTask({ task: 2, accept: "human" })],
      sets(2, "skipped"),
    ],
    ["of a task that goes on waiting for what is open", [], sets(1, "blocked")],
    ["of a task with a gate that was not run, to in progress", [...cleared, ...read], sets(1, "in_progress")],
    [
      "of its own task, once the session has ended",
      [own, endSession({ session: "s-own", exit: "exited" })],
      sets(2, "pending"),
    ],
    [
      "to pending, where a human decided on all that waited and a session has read it",
      [...cleared, ...read, failed, actOnGate({ task: 1, gate: 1, action: "skip" })],
      sets(1, "pending"),
    ],
    [
      "of a proposal that a human approved, once a session has begun from there",
      [
        approveSuggestion({ id: PROPOSAL }),
        startSession({ task: DRAFT, session: "s-3" }),
        endSession({ session: "s-3", exit: "cancelled" }),
      ],
      sets(DRAFT, "draft"),
    ],
    ["of a draft that nobody proposed", [createTask({ title: "Four", status: "draft" })], sets(4, "pending")],
  ] satisfies [string, Happens[], ReturnType<typeof sets>][])("%s", async (_what, before, asked) => {
    const { does, decides } = await givenProject();
    await does(...before);
    expect(await decides(asked)).toMatchObject([{ type: "task.status_set", payload: asked.byAgent.input }]);
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
    await expectRefused(["", [], deletes(DRAFT), "not_possible", proposal]);
  });

  test("no task on which a human has commented", async () => {
    const before = [addComment({ task: 2, author: "human", body: "Please test it." })];
    expect(await refusalOf(before, deletes(2))).toBe(left(2, undefined, "a human wrote comment 11"));
  });

  test.each([
    [
      "a proposal that a human decided on, once a session has begun from there",
      [
        approveSuggestion({ id: PROPOSAL }),
        startSession({ task: DRAFT, session: "s-3" }),
        endSession({ session: "s-3", exit: "cancelled" }),
      ],
      DRAFT,
    ],
    ["any other task", [], 2],
  ])("%s", async (_what, before, task) => {
    const { does, decides } = await givenProject();
    await does(...before);
    expect(await decides(deletes(task))).toMatchObject([{ type: "task.deleted", payload: { task } }]);
  });

  test("no task on which a session works", async () => {
    await expectRefused([
      "",
      [own],
      deletes(2),
      "session_open",
      "Session s-own works on task 2 now. Leave the task as it is; it can be deleted when that session has ended.",
    ]);
  });

  test("no task that others depend on", async () => {
    const before = [createTask({ title: "Four", depends_on: [2] })];
    expect(await refusalOf(before, deletes(2))).toContain("that depends on it: 4");
  });
});

describe("an agent may enrich", () => {
  const pseudocode = "for each order: write a line";

  test("no draft on which a human is asked something", async () => {
    const before = [setTaskStatus({ task: 1, status: "draft" })];
    expect(await refusalOf(before, enriches(1, pseudocode))).toBe(
      "Task 1 cannot be enriched by an agent: question 6 is open, blocker 7 is open, and only a human decides on that " +
        "(`signalbox inbox`, or `signalbox task enrich 1`).",
    );
  });

  test.each([
    ["a proposal, which stays a draft", [], DRAFT],
    ["a task that is pending", [], 2],
    ["a draft with gates that were not run", [...cleared, setTaskStatus({ task: 1, status: "draft" })], 1],
  ] satisfies [string, Happens[], number][])("%s", async (_what, before, task) => {
    const { does, decides } = await givenProject();
    await does(...before);
    expect(await decides(enriches(task, pseudocode))).toMatchObject([
      { type: "task.enriched", payload: { task } },
    ]);
  });
});

describe("an agent may change", () => {
  const change = { title: "Upload the keys", description: "At once." };

  test("no proposal that no human decided on, who would decide on other words than were proposed", async () => {
    await expectRefused(["", [], changes({ task: DRAFT, ...change }), "not_possible", proposal]);
  });

  test.each([
    ["a proposal that a human approved", [approveSuggestion({ id: PROPOSAL })], DRAFT],
    ["any other task", [], 2],
  ])("%s", async (_what, before, task) => {
    const { does, decides } = await givenProject();
    await does(...before);
    expect(await decides(changes({ task, ...change }))).toMatchObject([
      { type: "task.changed", payload: { task, ...change } },
    ]);
  });

  test("a proposal may a human", async () => {
    const { decides } = await givenProject();
    expect(await decides(changeTask({ task: DRAFT, ...change }))).toMatchObject([{ type: "task.changed" }]);
  });
});
