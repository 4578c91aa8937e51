import { z } from "zod";
import { noSuchTask, requireDiscipline, requireFeature, stateOf } from "../decisions/state.ts";
import { name, priorities, taskId, taskStatus, taskStatuses } from "../events/types/fields.ts";
import { fittingTasks } from "../queries/task-list.ts";
import { listBriefTasks, type TaskBrief, taskDetails, listTasks as tasksOf } from "../queries/tasks.ts";
import { LIST_LIMIT } from "./fitting.ts";
import { definePages, defineReading } from "./reading.ts";
import { describeTask, taskDescription } from "./task-description.ts";
import { detailLines, taskTable } from "./task-lines.ts";
import { parseStatus } from "./values.ts";

const filter = z.strictObject({
  status: taskStatus.optional(),
  feature: name.optional(),
  discipline: name.optional(),
});

export const listTasks = definePages({
  input: filter,
  rows: "tasks",
  key: taskId,
  keyOf: ({ id }: TaskBrief) => id,
  ask: tasksOf,
  brief: listBriefTasks,
  command: {
    name: "list",
    isDefault: true,
    does: "list tasks by id",
    takes: {
      status: ["--status <status>", "only tasks with this status", { parse: parseStatus }],
      feature: ["--feature <name>", "only tasks of this feature"],
      discipline: ["--discipline <name>", "only tasks of this discipline"],
    },
    example: "--status pending --json",
    says: taskTable,
  },
});

/** The same for an agent with little room: short, and as many as fit. */
export const listTasksInShort = defineReading({
  input: filter,
  ask(readModel, given) {
    // A misspelt name would give an empty list, as if there were no such tasks.
    const state = stateOf(readModel);
    if (given.feature !== undefined) requireFeature(state, given.feature);
    if (given.discipline !== undefined) requireDiscipline(state, given.discipline);
    return fittingTasks(readModel, given, LIST_LIMIT);
  },
  tool: {
    name: "list_tasks",
    title: "List tasks",
    description:
      "Lists tasks briefly; get_task gives details. A long list is cut, finished tasks first: use the " +
      "filters.",
    command: "task list",
    takes: z.strictObject({
      filter_status: z
        .enum([...taskStatuses, "completed"])
        .transform((status) => (status === "completed" ? "done" : status))
        .optional(),
      filter_feature: name.optional(),
      filter_discipline: name.optional(),
    }),
    input: ({ filter_status: status, filter_feature: feature, filter_discipline: discipline }) => ({
      ...{ status, feature, discipline },
    }),
    gives: z.strictObject({
      tasks: z.array(
        z.strictObject({
          id: taskId,
          title: z.string(),
          status: z.enum(taskStatuses),
          priority: z.enum(priorities),
          feature: z.string(),
          discipline: z.string(),
          ready: z.boolean(),
          depends_on: z.array(taskId),
        }),
      ),
      total: z.int().describe("How many tasks match the filters."),
      next: z.string().optional(),
    }),
    answer: ({ tasks, total }) => ({
      ...{ tasks, total },
      ...(tasks.length < total && {
        next:
          `Showing ${tasks.length} of ${total} tasks, unfinished ones first, by priority. Filter by ` +
          "status, feature or discipline to see the others; get_task shows any task by id.",
      }),
    }),
    example: { filter_status: "pending", filter_feature: "general" },
  },
});

export const showTask = defineReading({
  input: z.strictObject({ task: taskId }),
  ask(readModel, { task: id }) {
    const task = taskDetails(readModel, id);
    if (!task) throw noSuchTask(stateOf(readModel), id);
    return task;
  },
  command: {
    name: "show",
    does: "show a task: its fields, gates, proof of its work, status changes and timeline",
    takes: { task: ["<id>", "the task's id"] },
    example: "7",
    says: detailLines,
  },
  tool: {
    name: "get_task",
    title: "Show a task",
    description:
      "Everything about a task: its fields, gates, dependencies in both directions, comments and " +
      "signals.",
    takes: z.strictObject({ id: taskId }),
    input: ({ id: task }) => ({ task }),
    gives: taskDescription,
    answer: describeTask,
    example: { id: 7 },
    target: { field: "id", of: "task" },
    terse: true,
  },
});
