import { test } from "vitest";
import {
  observeAgentEnd,
  observeAgentStart,
  observeAgentUsage,
} from "../../src/decisions/rules/observations.ts";
import { acceptTask, sendBackTask } from "../../src/operations/acceptance.ts";
import { addComment } from "../../src/operations/comments.ts";
import { deleteTask } from "../../src/operations/delete-task.ts";
import { enrichTask } from "../../src/operations/enrich-task.ts";
import { actOnGate, recordGateAttempt } from "../../src/operations/gates.ts";
import { setPolicy } from "../../src/operations/policies.ts";
import { endSession, observeFiles, startSession } from "../../src/operations/sessions.ts";
import { setTaskStatus } from "../../src/operations/task-status.ts";
import { changeTask, createTask } from "../../src/operations/tasks.ts";
import { DRAFT } from "./given.ts";
import { expectRefused, noTask9, notFound, type Outcome, type Refused } from "./refused.ts";
import { agentEnd, agentStart } from "./samples.ts";

const noSession9 = notFound("There is no session s-9. Run `signalbox session list` to see all sessions.");
const noFeature = notFound('There is no feature "web". The features are: "general".');
const noDiscipline = notFound('There is no discipline "web". The disciplines are: "general".');
const open: Outcome = [
  "session_open",
  "Session s-2 of task 1 is open. End it first: `signalbox session end s-2 --exit cancelled`.",
];
const notAwaiting: Outcome = ["not_possible", "Task 1 is not waiting for acceptance."];
const doesNotRun = (state: string): Outcome => [
  "not_possible",
  `Gate 1 of task 1 is ${state} and does not run.`,
];
const opened = startSession({ task: 1, session: "s-2", force: true });
const failed = recordGateAttempt({ task: 1, gate: 1, exit_code: 1 });

const refusals: readonly Refused[] = [
  ["a comment on no task", [], addComment({ task: 9, author: "human", body: "x" }), ...noTask9],

  ["an attempt at a gate of no task", [], recordGateAttempt({ task: 9, gate: 1, exit_code: 0 }), ...noTask9],
  [
    "an attempt at no gate",
    [],
    recordGateAttempt({ task: 1, gate: 2, exit_code: 0 }),
    "not_found",
    "Task 1 has no gate 2.",
  ],
  [
    "an attempt in no session",
    [],
    recordGateAttempt({ task: 1, gate: 1, session: "s-9", exit_code: 0 }),
    "not_found",
    "Task 1 has no session s-9.",
  ],
  [
    "an attempt in a session of another task",
    [startSession({ task: 2, session: "s-2", force: true })],
    recordGateAttempt({ task: 1, gate: 1, session: "s-2", exit_code: 0 }),
    "not_found",
    "Task 1 has no session s-2.",
  ],
  ["an attempt at an escalated gate", [failed], failed, ...doesNotRun("escalated")],
  [
    "an attempt at a skipped gate",
    [failed, actOnGate({ task: 1, gate: 1, action: "skip" })],
    failed,
    ...doesNotRun("skipped"),
  ],
  [
    "an attempt at an aborted gate",
    [failed, actOnGate({ task: 1, gate: 1, action: "abort" })],
    failed,
    ...doesNotRun("aborted"),
  ],
  [
    "an action on a gate that waits",
    [],
    actOnGate({ task: 1, gate: 1, action: "skip" }),
    "not_possible",
    "Gate 1 of task 1 is pending; only an escalated gate can be retried, skipped or aborted.",
  ],
  [
    "an action on no gate",
    [],
    actOnGate({ task: 1, gate: 2, action: "skip" }),
    "not_found",
    "Task 1 has no gate 2.",
  ],

  ["the start of an agent in no session", [], observeAgentStart(agentStart("s-9")), ...noSession9],
  ["usage in no session", [], observeAgentUsage({ session: "s-9", turns: 1 }), ...noSession9],
  ["the end of an agent in no session", [], observeAgentEnd(agentEnd("s-9")), ...noSession9],
  ["files of no session", [], observeFiles({ session: "s-9", files: [] }), ...noSession9],

  [
    "a policy as it is by default",
    [],
    setPolicy({ policy: "stuck_limit", value: 3 }),
    "nothing_to_do",
    "Policy stuck_limit is already 3.",
  ],
  [
    "a policy as it was set",
    [setPolicy({ policy: "stuck_limit", value: 5 })],
    setPolicy({ policy: "stuck_limit", value: 5 }),
    "nothing_to_do",
    "Policy stuck_limit is already 5.",
  ],

  ["a session of no task", [], startSession({ task: 9, session: "s-2" }), ...noTask9],
  ["a second session of a task", [opened], startSession({ task: 1, session: "s-3", force: true }), ...open],
  [
    "a session whose id is taken",
    [],
    startSession({ task: 1, session: "s-1", force: true }),
    "already_exists",
    "Session s-1 already exists; use a new id for a new run.",
  ],
  [
    "a session of a task that waits for others",
    [createTask({ title: "Four" }), changeTask({ task: 4, depends_on: [2, 1] })],
    startSession({ task: 4, session: "s-2" }),
    "not_ready",
    "Task 4 waits for 2 of its dependencies (1, 2). Only a ready task can be started, unless by force.",
  ],
  [
    "a session of a task that is done",
    [setTaskStatus({ task: 1, status: "done" })],
    startSession({ task: 1, session: "s-2" }),
    "not_ready",
    "Task 1 is done. Only a ready task can be started, unless by force.",
  ],
  ["the end of no session", [], endSession({ session: "s-9", exit: "exited" }), ...noSession9],
  [
    "the end of a session that has ended",
    [opened, endSession({ session: "s-2", exit: "timed_out" })],
    endSession({ session: "s-2", exit: "exited" }),
    "session_ended",
    "Session s-2 has already ended (timed_out).",
  ],

  ["a task of no feature", [], createTask({ title: "x", feature: "web" }), ...noFeature],
  ["a task of no discipline", [], createTask({ title: "x", discipline: "web" }), ...noDiscipline],
  [
    "a task whose id is taken",
    [],
    createTask({ task: 2, title: "x" }),
    "already_exists",
    "Task 2 already exists.",
  ],
  [
    "a task that depends on itself",
    [],
    createTask({ task: 4, title: "x", depends_on: [4] }),
    "circle",
    "Task 4 cannot depend on 4: that would be a circular dependency, 4 → 4.",
  ],
  ["a task that depends on none", [], createTask({ title: "x", depends_on: [9] }), ...noTask9],
  ["a change of no task", [], changeTask({ task: 9, title: "x" }), ...noTask9],
  [
    "a change of a task to nothing",
    [],
    changeTask({ task: 1, title: undefined }),
    "nothing_to_do",
    "Nothing to change in task 1: give at least one of title, description, feature, discipline, priority, depends_on, accept, " +
      "criteria, context_files, tags, output_artifacts, hints, estimated_turns.",
  ],
  ["a change to no feature", [], changeTask({ task: 1, feature: "web" }), ...noFeature],
  ["a change to no discipline", [], changeTask({ task: 1, discipline: "web" }), ...noDiscipline],
  [
    "a change that closes a circle",
    [createTask({ title: "Four", depends_on: [2] })],
    changeTask({ task: 1, depends_on: [4] }),
    "circle",
    "Task 1 cannot depend on 4: that would be a circular dependency, 1 → 4 → 2 → 1.",
  ],
  ["a change to depend on none", [], changeTask({ task: 1, depends_on: [9] }), ...noTask9],
  [
    "a task under the id of one that was deleted",
    [deleteTask({ task: 2 })],
    createTask({ task: 2, title: "x" }),
    "already_exists",
    "Task 2 was deleted, and ids are never reused. Leave out the id to get the next one, 4.",
  ],
  [
    "a change of a task that was deleted",
    [deleteTask({ task: 2 })],
    changeTask({ task: 2, title: "x" }),
    "not_found",
    "Task 2 was deleted. Run `signalbox task list` to see all tasks.",
  ],
  ["the deletion of no task", [], deleteTask({ task: 9 }), ...noTask9],
  ["a deletion while a session is open", [opened], deleteTask({ task: 1 }), ...open],
  [
    "the deletion of what one task depends on",
    [],
    deleteTask({ task: 1 }),
    "not_possible",
    "Task 1 cannot be deleted while there is a task that depends on it: 2. Delete it first, or take 1 out of what it depends on: " +
      "`signalbox task set 2 --depends-on …`.",
  ],
  [
    "the deletion of what several tasks depend on, one by a blocker",
    [
      createTask({ title: "Four", depends_on: [2] }),
      startSession({ task: DRAFT, session: "s-3", force: true }),
      { session: "s-3", task: DRAFT, verb: "blocked", args: { on: "task 2", kind: "upstream_task" } },
      endSession({ session: "s-3", exit: "exited" }),
    ],
    deleteTask({ task: 2 }),
    "not_possible",
    "Task 2 cannot be deleted while there are tasks that depend on it: 3, 4. Delete them first, or take 2 out of what they depend on: " +
      "`signalbox task set 3 --depends-on …`. A dependency held by a blocker goes when the blocker is resolved or dismissed: 13 of task 3.",
  ],
  [
    "the deletion of what thirteen tasks depend on",
    Array.from({ length: 12 }, (_, index) => createTask({ title: `${index}`, depends_on: [1] })),
    deleteTask({ task: 1 }),
    "not_possible",
    "Task 1 cannot be deleted while there are tasks that depend on it: 2, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 3 more. Delete them first, " +
      "or take 1 out of what they depend on: `signalbox task set 2 --depends-on …`.",
  ],
  ["enriching no task", [], enrichTask({ task: 9, pseudocode: "x" }), ...noTask9],
  ...(["in_progress", "needs_input", "blocked", "done", "failed", "skipped"] as const).map(
    (status): Refused => [
      `enriching a task that is ${status}`,
      [setTaskStatus({ task: 2, status })],
      enrichTask({ task: 2, pseudocode: "x" }),
      "not_possible",
      `Task 2 is ${status}; only a draft or pending task can be enriched. To change its other fields, use update_task or \`signalbox task set 2\`.`,
    ],
  ),
  ["a status of no task", [], setTaskStatus({ task: 9, status: "done" }), ...noTask9],
  ["a status while a session is open", [opened], setTaskStatus({ task: 1, status: "done" }), ...open],
  ["the acceptance of no task", [], acceptTask({ task: 9 }), ...noTask9],
  ["the acceptance of a task that does not wait for it", [], acceptTask({ task: 1 }), ...notAwaiting],
  ["sending back no task", [], sendBackTask({ task: 9, comment: "x" }), ...noTask9],
  ["sending back a task that does not wait", [], sendBackTask({ task: 1, comment: "x" }), ...notAwaiting],
];

test.each(refusals)("%s is refused", async (...refused) => {
  await expectRefused(refused);
});
