import { z } from "zod";
import type { PlannedEvent } from "../decisions/decide.ts";
import { changedFields, givenFields } from "../decisions/given-fields.ts";
import { Refusal } from "../decisions/refusal.ts";
import {
  requireDiscipline,
  requireFeature,
  requireTask,
  type State,
  wasDeleted,
} from "../decisions/state.ts";
import { line, taskId, taskStatus } from "../events/types/fields.ts";
import { alwaysPassing } from "../events/types/gate-words.ts";
import { gateDeclaration } from "../events/types/gates.ts";
import type { Event, PayloadOf } from "../events/types/index.ts";
import { PLAN_LIMIT, planName } from "../events/types/plans.ts";
import { taskChanged, taskCreated } from "../events/types/tasks.ts";
import { quoteLine } from "../lib/terminal/output.ts";
import { dependencyPath } from "../projections/board/dependencies.ts";
import { proposalDigest } from "../projections/board/proposals.ts";
import type { Plan } from "../projections/board/tables.ts";
import { nextTaskId } from "../projections/board/task-rows.ts";
import { findTask, type TaskView } from "../queries/tasks.ts";
import { takingFields } from "./command-words.ts";
import { deleteTask } from "./delete-task.ts";
import { enrichTask } from "./enrich-task.ts";
import {
  addedGateFields,
  formGates,
  gateFields,
  gateLineFields,
  gateOptions,
  gatesOfForm,
  verifyOptions,
} from "./gate-fields.ts";
import { declareGates } from "./gates.ts";
import { defineGroup } from "./group.ts";
import { defineOperation } from "./operation.ts";
import { planOf } from "./plans.ts";
import { fieldOptions, fromArgs, fromOptions, planArgs } from "./task-fields.ts";
import { taskLines } from "./task-lines.ts";
import { awaitedApproval, outlook, outlookOf, outlookOfSame } from "./task-outlook.ts";
import { mayChange, maySetStatus } from "./task-rights.ts";
import { setTaskStatus } from "./task-status.ts";
import { listTasks, listTasksInShort, showTask } from "./tasks-reading.ts";
import { toApprove } from "./to-approve.ts";

const created = taskCreated.payload.shape;
const changed = taskChanged.payload.shape;
const { task: _, ...changeable } = changed;

/** The id defaults to the next one; only the title is required. */
const newTask = taskCreated.payload.omit({ plan: true }).partial().extend({ title: line });
export type NewTask = z.input<typeof newTask>;

/** The fields of a new task of which only the title is given. */
export const ABSENT = {
  description: "",
  feature: "general",
  discipline: "general",
  priority: "medium",
  status: "pending",
  accept: "auto",
} as const;

/** The fields that the page's form for a task does not have. */
const notOnForm = { context_files: true, output_artifacts: true, estimated_turns: true } as const;

/** @throws Refusal `not_found`: the feature, the discipline or a dependency; `already_exists`: the id */
export const createTask = defineOperation({
  type: "task.created",
  inSession: ["plan.confirmed"],
  input: newTask,
  plan(input, state, session) {
    const { task = nextTaskId(state), depends_on = [], gates = [], ...given } = givenFields(input);
    const fields = { ...ABSENT, ...given };
    checkNames(state, fields);
    checkFree(state, task);
    const payload = { task, ...fields, depends_on: checkDependencies(state, task, depends_on), gates };
    const plan = planOf(state, session);
    return plan ? [inPlan(state, plan, payload)] : [{ type: "task.created", payload }];
  },
  answer: ({ event, readModel }) => findTask(readModel, event.payload.task) ?? null,
  command: takingFields(newTask.extend(gateLineFields), fromOptions, {
    name: "add",
    does: "add a task",
    takes: { title: ["<title>", "one line"], ...fieldOptions, ...gateOptions },
    example: [
      "'Export as CSV' --description 'Semicolons.' --verify 'npm test'",
      `'Export as CSV' --gates ':: verify:"npm test" :fast :: "follows coding standards"'`,
    ],
    says: (task: TaskView | null, { title, gates = [] }) => [
      task ? `Added task ${task.id}: ${quoteLine(title)}` : "The task was added, and has been deleted since.",
      ...alwaysPassing(gates),
      ...toApprove(task),
    ],
  }),
  tool: {
    name: "create_task",
    title: "Create a task",
    description:
      "Creates a task, pending unless you set draft. Feature, discipline and depends_on must exist. A " +
      "task with gates that you declare is not ready until a human approves them.",
    takes: z.strictObject({
      feature: created.feature,
      discipline: created.discipline,
      title: created.title,
      description: changed.description,
      priority: changed.priority,
      status: z.enum(["draft", "pending"]).optional(),
      ...planArgs,
      acceptance_criteria: planArgs.acceptance_criteria.describe("What must be true of the work."),
      context_files: planArgs.context_files.describe("Files its agent should know."),
      output_artifacts: planArgs.output_artifacts.describe("Files it makes or changes, or globs."),
      ...gateFields,
      verify: gateFields.verify.describe("Gates: commands that must pass before done."),
    }),
    input: fromArgs,
    gives: outlook,
    answer({ event, readModel }) {
      const same = confirmedBy(event);
      return same
        ? outlookOfSame(readModel, same.task, same.plan)
        : outlookOf(readModel, event.payload.task, event.payload.gates);
    },
    effect: "creating",
    example: { feature: "general", discipline: "general", title: "Export as CSV", priority: "high" },
  },
  page: {
    name: "create_task",
    takes: newTask.omit({ ...notOnForm, task: true, status: true }).extend({ gates: formGates }),
    input: ({ gates = [], ...given }) => ({ ...given, gates: gatesOfForm(gates) }),
  },
});

/**
 * A draft of the plan; what is one already, in the same words, is not made twice. A plan that replaces the draft's own makes it anew,
 * unless all of it is the same.
 *
 * @throws Refusal `not_possible`: there is no room
 */
function inPlan(state: State, { plan, tasks, again }: Plan, payload: Created): PlannedEvent {
  const same = sameDraft(state, payload, plan);
  if (same && (same.plan !== again || isWhole(state, same.task, payload)))
    return { type: "plan.confirmed", payload: { plan, task: same.task } };
  if (tasks < PLAN_LIMIT) return { type: "task.created", payload: { ...payload, status: "draft", plan } };
  throw new Refusal(
    "not_possible",
    `${planName(plan)} has ${PLAN_LIMIT} tasks, the most that one may propose. Stop here.`,
  );
}

type Created = PayloadOf<"task.created">;

/** An undecided draft of the same feature whose title says the same in the same words, of this plan if it has one. */
function sameDraft(state: State, { title, feature }: Created, plan: number) {
  const same = state.suggestions.where({ digest: proposalDigest(feature, title), state: "proposed" });
  const draft = same.find((one) => one.plan === plan) ?? same[0];
  return draft?.proposed_task == null ? undefined : { task: draft.proposed_task, plan: draft.plan };
}

/** Whether a draft has everything that a proposal of the same title says, and nothing else. */
function isWhole(state: State, id: number, proposal: Created): boolean {
  const task = state.tasks.get(id);
  const gates = state.gates.where({ task_id: id });
  return (
    task !== undefined &&
    PLAIN.every((field) => task[field] === (proposal[field] ?? null)) &&
    LISTS.every((field) => task[field] === JSON.stringify(proposal[field] ?? [])) &&
    gates.length === proposal.gates.length &&
    proposal.gates.every(
      ({ command, max, timeout_s }, nth) =>
        gates[nth]?.command === command &&
        gates[nth].max_attempts === max &&
        gates[nth].timeout_s === timeout_s,
    )
  );
}

const PLAIN = ["description", "discipline", "priority", "accept", "hints", "estimated_turns"] as const;
const LISTS = ["depends_on", "criteria", "context_files", "tags", "output_artifacts"] as const;

/** What an agent's session decided instead (`inSession`). */
function confirmedBy(event: Event): PayloadOf<"plan.confirmed"> | undefined {
  return event.type === "plan.confirmed" ? event.payload : undefined;
}

/** Gates are added to those that are there; each other field replaces what was there. */
const taskChange = taskChanged.payload.extend({
  status: taskStatus.optional(),
  gates: z.array(gateDeclaration).optional(),
});
export type TaskChange = z.input<typeof taskChange>;

/**
 * Changes fields of a task, adds gates to it and sets its status, in one batch.
 *
 * @throws Refusal `not_found`, `circle`, `nothing_to_do`; as `setTaskStatus` and `declareGates`
 */
export const changeTask = defineOperation({
  type: "task.changed",
  or: ["gate.declared", "task.status_set"],
  input: taskChange,
  permit({ task, status }, state, actor, isOwn) {
    mayChange({ task }, state, actor, isOwn);
    if (status !== undefined) maySetStatus({ task, status }, state, actor, isOwn);
  },
  plan({ task, status, gates = [], ...fields }, state) {
    const given = givenFields(fields);
    const parts = [
      ...(gates.length > 0 ? declareGates({ task, gates }).plan(state) : []),
      ...(status === undefined ? [] : setTaskStatus({ task, status }).plan(state)),
    ];
    return Object.keys(given).length === 0 && parts.length > 0
      ? parts
      : [{ type: "task.changed", payload: changes(state, task, given) }, ...parts];
  },
  answer: ({ input, readModel }) => findTask(readModel, input.task) ?? null,
  command: takingFields(taskChange.extend(gateFields), fromOptions, {
    name: "set",
    does: "change a task, including its status; --verify adds gates",
    takes: {
      task: ["<id>", "the task's id"],
      ...fieldOptions,
      ...verifyOptions,
      title: ["--title <text>", ""],
    },
    example: "7 --priority high --depends-on 3,5",
    says: (task: TaskView | null, { task: id, gates = [] }) => [
      ...taskLines(task, id),
      ...alwaysPassing(gates),
    ],
  }),
  tool: {
    name: "update_task",
    title: "Change a task",
    description:
      "Changes fields of a task. Each value replaces the old one, lists as a whole; verify adds " +
      "gates. Fails for a draft that an agent proposed until a human decides on it.",
    takes: z.strictObject({
      id: taskId,
      title: changed.title,
      description: changed.description,
      priority: changed.priority,
      ...planArgs,
      ...addedGateFields,
    }),
    input: ({ id: task, ...args }) => ({ task, ...fromArgs(args) }),
    gives: z.strictObject({ id: taskId, changed: z.array(z.string()), next: z.string().optional() }),
    answer({ input: { task: id, gates = [] }, readModel }, args) {
      const fields = Object.keys(args).filter((field) => field !== "id" && !Object.hasOwn(gateFields, field));
      const task = findTask(readModel, id);
      const session = task?.open_session;
      const next = [
        ...(session ? [`Session ${session} is working on it and has read the earlier version.`] : []),
        ...alwaysPassing(gates),
        ...(gates.length > 0 && task ? awaitedApproval(task) : []),
      ].join(" ");
      const changed = [...fields, ...(gates.length > 0 ? ["verify"] : [])];
      return { id, changed, ...(next && { next }) };
    },
    effect: "changing",
    example: { id: 7, priority: "critical" },
    target: { field: "id", of: "task" },
  },
  page: {
    name: "change_task",
    takes: taskChanged.payload.omit(notOnForm).extend({ gates: formGates }),
    input: ({ gates, ...given }) => ({ ...given, ...(gates && { gates: gatesOfForm(gates) }) }),
  },
});

/** The payload of `task.changed`. @throws Refusal `not_found`, `circle`, `nothing_to_do` */
function changes(state: State, task: number, given: Omit<TaskChange, "task" | "status" | "gates">) {
  requireTask(state, task);
  checkNames(state, given);
  const depends_on = given.depends_on && checkDependencies(state, task, given.depends_on);
  return { task, ...changedFields(`task ${task}`, { ...given, depends_on }, Object.keys(changeable)) };
}

function checkNames(
  state: State,
  { feature, discipline }: { feature?: string | undefined; discipline?: string | undefined },
): void {
  if (feature !== undefined) requireFeature(state, feature);
  if (discipline !== undefined) requireDiscipline(state, discipline);
}

/** Checks a chosen id. Ids are never reused, even after a deletion (docs/rules.md, What an agent may do to a status). */
function checkFree(state: State, id: number): void {
  if (state.tasks.get(id)) throw new Refusal("already_exists", `Task ${id} already exists.`);
  if (wasDeleted(state, id)) {
    throw new Refusal(
      "already_exists",
      `Task ${id} was deleted, and ids are never reused. Leave out the id to get the next one, ` +
        `${nextTaskId(state)}.`,
    );
  }
}

/** Checks that dependencies exist, and that none of them depends on the task itself. */
function checkDependencies(state: State, task: number, dependsOn: readonly number[]): number[] {
  for (const id of dependsOn) {
    const circle = id === task ? [task] : dependencyPath(state, id, task);
    if (circle) {
      throw new Refusal(
        "circle",
        `Task ${task} cannot depend on ${id}: that would be a circular dependency, ` +
          `${[task, ...circle].join(" → ")}.`,
        { field: "depends_on" },
      );
    }
    requireTask(state, id, "depends_on");
  }
  return [...new Set(dependsOn)].sort((a, b) => a - b);
}

export const tasks = defineGroup({
  name: "task",
  does: "tasks: add, change and show them",
  has: [createTask, listTasks, listTasksInShort, showTask, changeTask, setTaskStatus, enrichTask, deleteTask],
});
