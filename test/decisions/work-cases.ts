import { acceptTask, sendBackTask } from "../../src/operations/acceptance.ts";
import { deleteTask } from "../../src/operations/delete-task.ts";
import { createDiscipline } from "../../src/operations/disciplines.ts";
import { enrichTask } from "../../src/operations/enrich-task.ts";
import { createFeature } from "../../src/operations/features.ts";
import { setPolicy } from "../../src/operations/policies.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { setTaskStatus } from "../../src/operations/task-status.ts";
import { changeTask, createTask } from "../../src/operations/tasks.ts";
import { type Case, kept } from "./cases.ts";
import { DRAFT } from "./given.ts";

const gate = { command: "npm test", max: 2, timeout_s: 9 };

const core = createFeature({ name: "core" });
const backend = createDiscipline({ name: "backend" });
const allOfTask = {
  title: "Twelve",
  description: "Long.",
  feature: "core",
  discipline: "backend",
  priority: "critical" as const,
  depends_on: [1, 2],
  accept: "human" as const,
  criteria: ["It works."],
  context_files: ["a.md"],
  tags: ["export"],
  output_artifacts: ["b.md"],
  hints: "Look there.",
  estimated_turns: 9,
};
/** Task 4, whose done waits to be accepted. */
const done = [
  createTask({ title: "Four", accept: "human" }),
  startSession({ task: 4, session: "s-4" }),
  { session: "s-4", task: 4, verb: "done", args: { summary: "Done." } },
  endSession({ session: "s-4", exit: "exited" }),
] as const;

/** Decisions on policies and on tasks. */
export const workCases: readonly Case[] = [
  kept("a policy", "policy.set", setPolicy, { policy: "stuck_limit", value: 5 }, [
    { policy: "stuck_limit", value: 6 },
  ]),
  {
    what: "a task with all there is to say",
    before: [core, backend],
    asked: createTask({ task: 12, status: "draft", gates: [gate], ...allOfTask, depends_on: [2, 1, 2] }),
    event: { type: "task.created", payload: { task: 12, status: "draft", gates: [gate], ...allOfTask } },
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
    asked: changeTask({ task: 4, ...allOfTask, depends_on: [2, 1, 1] }),
    event: { type: "task.changed", payload: { task: 4, ...allOfTask } },
    others: [changeTask({ task: 4, title: "Twelve" })],
  },
  {
    what: "a task's title changed alone",
    asked: changeTask({ task: 2, title: "Duo", description: undefined, depends_on: undefined }),
    event: { type: "task.changed", payload: { task: 2, title: "Duo" } },
    others: [changeTask({ task: 1, title: "Duo" })],
  },
  kept(
    "a task's lists emptied",
    "task.changed",
    changeTask,
    { task: 2, depends_on: [], criteria: [], context_files: [], tags: [], output_artifacts: [], hints: "" },
    [{ task: 2, depends_on: [] }],
  ),
  kept("a task's estimate changed alone", "task.changed", changeTask, { task: 2, estimated_turns: 5 }, [
    { task: 2, estimated_turns: 6 },
  ]),
  kept(
    "a draft enriched with all there is to say",
    "task.enriched",
    enrichTask,
    { task: 4, pseudocode: "loop", criteria: ["It works."], context_files: ["a.md"] },
    [{ task: 4, pseudocode: "loop" }],
    [createTask({ title: "Four", status: "draft" })],
  ),
  {
    what: "a pending task enriched with pseudocode alone",
    asked: enrichTask({ task: 2, pseudocode: "loop", criteria: undefined }),
    event: { type: "task.enriched", payload: { task: 2, pseudocode: "loop" } },
    others: [enrichTask({ task: 2, pseudocode: "recur" }), enrichTask({ task: DRAFT, pseudocode: "loop" })],
  },
  kept("a task deleted", "task.deleted", deleteTask, { task: 2 }, [{ task: DRAFT }]),
  kept("a task's status set", "task.status_set", setTaskStatus, { task: 2, status: "skipped" }, [
    { task: 2, status: "done" },
    { task: 1, status: "skipped" },
  ]),
  kept("a task accepted", "task.accepted", acceptTask, { task: 4 }, [{ task: 1 }], done),
  kept(
    "a task sent back",
    "task.sent_back",
    sendBackTask,
    { task: 4, comment: "Not yet." },
    [{ task: 4, comment: "No." }],
    done,
  ),
];
