import { z } from "zod";
import {
  changeTaskAsAgent,
  deleteTaskAsAgent,
  enrichTaskAsAgent,
  setTaskStatusAsAgent,
} from "../../decisions/agent-status.ts";
import { withGates } from "../../decisions/gates.ts";
import { createTask } from "../../decisions/tasks.ts";
import { taskId } from "../../events/types/fields.ts";
import { taskChanged, taskCreated, taskEnriched } from "../../events/types/tasks.ts";
import { askAtHead } from "../../projections/ask.ts";
import { findTask } from "../../projections/queries/tasks.ts";
import { CHANGING, CREATING, DELETING, decideFor, defineTool } from "../tool.ts";
import { addedGateFields, gateFields, gatesOf } from "./gate-fields.ts";
import { outlook, outlookOf, toApprove } from "./task-outlook.ts";

const created = taskCreated.payload.shape;
const changed = taskChanged.payload.shape;
const enriched = taskEnriched.payload.shape;

/** The tools say `acceptance_criteria`, the events `criteria`. */
const { criteria: acceptance_criteria, depends_on, tags, hints, estimated_turns } = changed;
const { context_files, output_artifacts } = changed;
const plan = {
  acceptance_criteria,
  depends_on,
  tags,
  context_files,
  output_artifacts,
  hints,
  estimated_turns,
};

const target = { field: "id", of: "task" } as const;

/** Tools that write tasks; those that read them are in tasks-reading.ts. */
export const taskWritingTools = [
  defineTool({
    name: "create_task",
    title: "Create a task",
    description:
      "Creates a task, pending unless you say draft. Feature, discipline and depends_on must exist. A task whose gates you " +
      "declare is not ready until a human approved them.",
    input: z.strictObject({
      feature: created.feature,
      discipline: created.discipline,
      title: created.title,
      description: changed.description,
      priority: changed.priority,
      status: z.enum(["draft", "pending"]).optional(),
      ...plan,
      acceptance_criteria: acceptance_criteria.describe("What must be true of the work."),
      context_files: context_files.describe("Files that its agent should know."),
      output_artifacts: output_artifacts.describe("Files that it makes or changes."),
      ...gateFields,
      verify: gateFields.verify.describe("Gates: commands that must pass before done."),
    }),
    output: outlook,
    annotations: CREATING,
    command: "task add",
    example: { feature: "general", discipline: "general", title: "Export as CSV", priority: "high" },
    async run({ acceptance_criteria: criteria, verify, verify_max, verify_timeout, ...fields }, call) {
      const gates = gatesOf({ verify, verify_max, verify_timeout });
      const [event] = await decideFor(call, createTask({ ...fields, criteria, gates }));
      return outlookOf(call, event.payload.task);
    },
  }),
  defineTool({
    name: "update_task",
    title: "Change a task",
    description:
      "Changes fields of a task. What you give replaces what was there, lists as a whole; verify adds. Not for a draft that an " +
      "agent proposed, while no human decided on it.",
    input: z.strictObject({
      id: taskId,
      title: changed.title,
      description: changed.description,
      priority: changed.priority,
      ...plan,
      ...addedGateFields,
    }),
    output: z.strictObject({ id: taskId, changed: z.array(z.string()), next: z.string().optional() }),
    annotations: CHANGING,
    command: "task set",
    example: { id: 7, priority: "critical" },
    target,
    async run({ id, verify, verify_max, verify_timeout, ...fields }, call) {
      const { acceptance_criteria: criteria, ...others } = fields;
      const gates = gatesOf({ verify, verify_max, verify_timeout });
      await decideFor(call, changeTaskAsAgent({ task: id, ...others, criteria }, gates));
      const task = await askAtHead(call.store, (readModel) => findTask(readModel, id));
      const session = task?.open_session;
      const next = [
        ...(session ? [`Session ${session} works on it and has read it as it was before.`] : []),
        ...(gates.length > 0 && task ? toApprove(task) : []),
      ].join(" ");
      return {
        id,
        changed: [...Object.keys(fields), ...(gates.length > 0 ? ["verify"] : [])],
        ...(next && { next }),
      };
    },
  }),
  defineTool({
    name: "delete_task",
    title: "Delete a task",
    description:
      "Takes a task off the board for good. Fails while other tasks depend on it, a session works on it, or it has anything that " +
      "is a human's: questions, blockers, gates, comments, decisions.",
    input: z.strictObject({ id: taskId }),
    output: z.strictObject({ deleted: taskId }),
    annotations: DELETING,
    command: "task delete",
    example: { id: 7 },
    target,
    async run({ id }, call) {
      await decideFor(call, deleteTaskAsAgent({ task: id }));
      return { deleted: id };
    },
  }),
  defineTool({
    name: "set_task_status",
    title: "Set a task's status",
    description:
      "Sets a task's status by hand; not past what waits for a human (questions, blockers, gates, its acceptance), nor what a " +
      "human decided. Not for the task of your own session: close that with done, partial or stuck.",
    input: z.strictObject({
      id: taskId,
      status: z
        .enum(["draft", "pending", "in_progress", "done", "completed", "blocked", "skipped"])
        .transform((status) => (status === "completed" ? "done" : status)),
    }),
    output: outlook,
    annotations: CHANGING,
    command: "task set",
    example: { id: 7, status: "pending" },
    target,
    async run({ id, status }, call) {
      const isOwn = (session: string) => call.sessions.find(session) !== undefined;
      await decideFor(call, setTaskStatusAsAgent({ task: id, status }, isOwn));
      return outlookOf(call, id);
    },
  }),
  defineTool({
    name: "enrich_task",
    title: "Enrich a draft",
    description:
      "Gives a draft or pending task pseudocode. A draft becomes pending, unless an agent proposed it: a human decides on that.",
    input: z.strictObject({
      id: taskId,
      pseudocode: enriched.pseudocode,
      acceptance_criteria,
      context_files,
      ...addedGateFields,
    }),
    output: outlook,
    annotations: CHANGING,
    command: "task enrich",
    example: { id: 7, pseudocode: "for each order: write a line" },
    target,
    async run({ id, acceptance_criteria: criteria, verify, verify_max, verify_timeout, ...fields }, call) {
      const gates = gatesOf({ verify, verify_max, verify_timeout });
      const enriching = enrichTaskAsAgent({ task: id, ...fields, criteria });
      await decideFor(call, withGates(enriching, { task: id, gates }));
      return outlookOf(call, id);
    },
  }),
] as const;
