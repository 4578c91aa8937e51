import { acceptTask, sendBackTask } from "../../src/operations/acceptance.ts";
import { addComment } from "../../src/operations/comments.ts";
import { deleteTask } from "../../src/operations/delete-task.ts";
import { createDiscipline } from "../../src/operations/disciplines.ts";
import { enrichTask } from "../../src/operations/enrich-task.ts";
import { createFeature } from "../../src/operations/features.ts";
import { setPolicy } from "../../src/operations/policies.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { setTaskStatus } from "../../src/operations/task-status.ts";
import { changeTask, createTask } from "../../src/operations/tasks.ts";
import type { Case } from "./cases.ts";
import { DRAFT } from "./given.ts";

const gate = { command: "npm test", max: 2, timeout_s: 9 };

const core = createFeature({ name: "core" });
const backend = createDiscipline({ name: "backend" });
/** Task 4, whose done waits to be accepted. */
const done = [
  createTask({ title: "Four", accept: "human" }),
  startSession({ task: 4, session: "s-4" }),
  { session: "s-4", task: 4, verb: "done", args: { summary: "Done." } },
  endSession({ session: "s-4", exit: "exited" }),
] as const;

/** Decisions on policies and on tasks. */
export const workCases: readonly Case[] = [
  {
    what: "a policy",
    asked: setPolicy({ policy: "stuck_limit", value: 5 }),
    event: { type: "policy.set", payload: { policy: "stuck_limit", value: 5 } },
    others: [setPolicy({ policy: "stuck_limit", value: 6 })],
  },
  {
    what: "a comment",
    asked: addComment({ task: 1, author: "human", body: "Nice." }),
    event: { type: "comment.added", payload: { task: 1, author: "human", body: "Nice." } },
    others: [
      addComment({ task: 2, author: "human", body: "Nice." }),
      addComment({ task: 1, author: "human", body: "Well." }),
    ],
  },
  {
    what: "a task with all there is to say",
    before: [core, backend],
    asked: createTask({
      task: 12,
      title: "Twelve",
      description: "Long.",
      feature: "core",
      discipline: "backend",
      priority: "critical",
      status: "draft",
      depends_on: [2, 1, 2],
      accept: "human",
      gates: [gate],
      criteria: ["It works."],
      context_files: ["a.md"],
      tags: ["export"],
      output_artifacts: ["b.md"],
      hints: "Look there.",
      estimated_turns: 9,
    }),
    event: {
      type: "task.created",
      payload: {
        task: 12,
        title: "Twelve",
        description: "Long.",
        feature: "core",
        discipline: "backend",
        priority: "critical",
        status: "draft",
        depends_on: [1, 2],
        accept: "human",
        gates: [gate],
        criteria: ["It works."],
        context_files: ["a.md"],
        tags: ["export"],
        output_artifacts: ["b.md"],
        hints: "Look there.",
        estimated_turns: 9,
      },
    },
    others: [createTask({ task: 12, title: "Twelve" })],
  },
  {
    what: "a task with its title alone",
    asked: createTask({ title: "Four" }),
    event: {
      type: "task.created",
      payload: {
        task: 4,
        title: "Four",
        description: "",
        feature: "general",
        discipline: "general",
        priority: "medium",
        status: "pending",
        depends_on: [],
        accept: "auto",
        gates: [],
      },
    },
    others: [createTask({ title: "Five" }), createTask({ task: 4, title: "Four" })],
  },
  {
    what: "all of a task changed",
    before: [core, backend, createTask({ title: "Four" })],
    asked: changeTask({
      task: 4,
      title: "Quattro",
      description: "Long.",
      feature: "core",
      discipline: "backend",
      priority: "low",
      depends_on: [2, 1, 1],
      accept: "human",
      criteria: ["It works."],
      context_files: ["a.md"],
      tags: ["export"],
      output_artifacts: ["b.md"],
      hints: "Look there.",
      estimated_turns: 9,
    }),
    event: {
      type: "task.changed",
      payload: {
        task: 4,
        title: "Quattro",
        description: "Long.",
        feature: "core",
        discipline: "backend",
        priority: "low",
        depends_on: [1, 2],
        accept: "human",
        criteria: ["It works."],
        context_files: ["a.md"],
        tags: ["export"],
        output_artifacts: ["b.md"],
        hints: "Look there.",
        estimated_turns: 9,
      },
    },
    others: [changeTask({ task: 4, title: "Quattro" })],
  },
  {
    what: "a task's title changed alone",
    asked: changeTask({ task: 2, title: "Duo", description: undefined, depends_on: undefined }),
    event: { type: "task.changed", payload: { task: 2, title: "Duo" } },
    others: [changeTask({ task: 1, title: "Duo" })],
  },
  {
    what: "a task's lists emptied",
    asked: changeTask({
      task: 2,
      depends_on: [],
      criteria: [],
      context_files: [],
      tags: [],
      output_artifacts: [],
      hints: "",
    }),
    event: {
      type: "task.changed",
      payload: {
        task: 2,
        depends_on: [],
        criteria: [],
        context_files: [],
        tags: [],
        output_artifacts: [],
        hints: "",
      },
    },
    others: [changeTask({ task: 2, depends_on: [] })],
  },
  {
    what: "a task's estimate changed alone",
    asked: changeTask({ task: 2, estimated_turns: 5 }),
    event: { type: "task.changed", payload: { task: 2, estimated_turns: 5 } },
    others: [changeTask({ task: 2, estimated_turns: 6 })],
  },
  {
    what: "a draft enriched with all there is to say",
    before: [createTask({ title: "Four", status: "draft" })],
    asked: enrichTask({ task: 4, pseudocode: "loop", criteria: ["It works."], context_files: ["a.md"] }),
    event: {
      type: "task.enriched",
      payload: { task: 4, pseudocode: "loop", criteria: ["It works."], context_files: ["a.md"] },
    },
    others: [enrichTask({ task: 4, pseudocode: "loop" })],
  },
  {
    what: "a pending task enriched with pseudocode alone",
    asked: enrichTask({ task: 2, pseudocode: "loop", criteria: undefined }),
    event: { type: "task.enriched", payload: { task: 2, pseudocode: "loop" } },
    others: [enrichTask({ task: 2, pseudocode: "recur" }), enrichTask({ task: DRAFT, pseudocode: "loop" })],
  },
  {
    what: "a task deleted",
    asked: deleteTask({ task: 2 }),
    event: { type: "task.deleted", payload: { task: 2 } },
    others: [deleteTask({ task: DRAFT })],
  },
  {
    what: "a task's status set",
    asked: setTaskStatus({ task: 2, status: "skipped" }),
    event: { type: "task.status_set", payload: { task: 2, status: "skipped" } },
    others: [setTaskStatus({ task: 2, status: "done" }), setTaskStatus({ task: 1, status: "skipped" })],
  },
  {
    what: "a task accepted",
    before: done,
    asked: acceptTask({ task: 4 }),
    event: { type: "task.accepted", payload: { task: 4 } },
    others: [acceptTask({ task: 1 })],
  },
  {
    what: "a task sent back",
    before: done,
    asked: sendBackTask({ task: 4, comment: "Not yet." }),
    event: { type: "task.sent_back", payload: { task: 4, comment: "Not yet." } },
    others: [sendBackTask({ task: 4, comment: "No." })],
  },
];
