import { z } from "zod";
import { changeTask, setTaskStatus } from "../../../decisions/tasks.ts";
import { line, longText, name, priority, taskId, taskStatus } from "../../../events/types/fields.ts";
import { defineAct } from "./act.ts";

/** Sets a task's status by hand (docs/rules.md, Humans). */
export const setStatusAct = defineAct({
  name: "set_status",
  input: z.strictObject({ task: taskId, status: taskStatus }),
  plan: (input) => setTaskStatus(input),
});

/** Edits a task; absent fields stay. */
export const changeTaskAct = defineAct({
  name: "change_task",
  input: z.strictObject({
    task: taskId,
    title: line.optional(),
    description: longText.optional(),
    feature: name.optional(),
    discipline: name.optional(),
    priority: priority.optional(),
  }),
  plan: (input) => changeTask(input),
});
