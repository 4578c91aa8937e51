import { z } from "zod";
import { noSuchTask, requireDiscipline, requireFeature, stateOf } from "../../decisions/state.ts";
import { name, priorities, taskId, taskStatuses } from "../../events/types/fields.ts";
import { LIST_LIMIT } from "../../operations/fitting.ts";
import { askAtHead } from "../../projections/ask.ts";
import { fittingTasks } from "../../projections/queries/task-list.ts";
import { taskDetails } from "../../projections/queries/tasks.ts";
import type { ReadModel } from "../../projections/read-model.ts";
import { defineTool, READING } from "../tool.ts";
import { describeTask, taskDescription } from "./task-description.ts";

/** Tools that read tasks. */
export const taskReadingTools = [
  defineTool({
    name: "list_tasks",
    title: "List tasks",
    description:
      "Lists tasks in short; get_task tells more. A list that is too long is cut, finished tasks first: filter then.",
    input: z.strictObject({
      filter_status: z
        .enum([...taskStatuses, "completed"])
        .transform((status) => (status === "completed" ? "done" : status))
        .optional(),
      filter_feature: name.optional(),
      filter_discipline: name.optional(),
    }),
    output: z.strictObject({
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
      total: z.int().describe("How many there are that the filters let through."),
      next: z.string().optional(),
    }),
    annotations: READING,
    command: "task list",
    example: { filter_status: "pending", filter_feature: "general" },
    async run({ filter_status: status, filter_feature: feature, filter_discipline: discipline }, call) {
      return askAtHead(call.store, (readModel) => {
        checkNames(readModel, feature, discipline);
        const { tasks, total } = fittingTasks(readModel, { status, feature, discipline }, LIST_LIMIT);
        return { tasks, total, ...(tasks.length < total && { next: hint(tasks.length, total) }) };
      });
    },
  }),
  defineTool({
    name: "get_task",
    title: "Look at a task",
    description: "Gives all of a task: its fields, gates, dependencies both ways, comments and signals.",
    input: z.strictObject({ id: taskId }),
    output: taskDescription,
    annotations: READING,
    command: "task show",
    example: { id: 7 },
    target: { field: "id", of: "task" },
    terse: true,
    async run({ id }, call) {
      return askAtHead(call.store, (readModel) => {
        const details = taskDetails(readModel, id);
        if (!details) throw noSuchTask(stateOf(readModel), id);
        return describeTask(details);
      });
    },
  }),
] as const;

function hint(shown: number, total: number): string {
  return (
    `Only ${shown} of ${total} tasks are here, those first that are neither done nor skipped, by priority. ` +
    "Filter by status, feature and discipline to see the others; get_task shows any by its id."
  );
}

/** A name that is misspelt would give an empty list, as if there were no such tasks. */
function checkNames(readModel: ReadModel, feature: string | undefined, discipline: string | undefined): void {
  const state = stateOf(readModel);
  if (feature !== undefined) requireFeature(state, feature);
  if (discipline !== undefined) requireDiscipline(state, discipline);
}
