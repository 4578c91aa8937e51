import { z } from "zod";
import { statusSet } from "../decisions/rules/tasks.ts";
import { taskId } from "../events/types/fields.ts";
import { taskStatusSet } from "../events/types/tasks.ts";
import { defineOperation } from "./operation.ts";
import { outlook, outlookOf } from "./task-outlook.ts";
import { maySetStatus } from "./task-rights.ts";

/** Any status, while no session of the task is open (docs/rules.md, Humans). @throws Refusal `not_found`, `session_open`; as `maySetStatus` */
export const setTaskStatus = defineOperation({
  type: "task.status_set",
  input: taskStatusSet.payload,
  permit: maySetStatus,
  plan: (input, state) => [statusSet(state, input)],
  answer: ({ input, readModel }) => outlookOf(readModel, input.task),
  tool: {
    name: "set_task_status",
    title: "Set a task's status",
    description:
      "Sets a task's status by hand. It cannot override what waits for a human (questions, blockers, " +
      "gates, acceptance) or what a human decided. Close the task of your own session with done, " +
      "partial or stuck instead.",
    command: "task set",
    takes: z.strictObject({
      id: taskId,
      status: z
        .enum(["draft", "pending", "in_progress", "done", "completed", "blocked", "skipped"])
        .transform((status) => (status === "completed" ? "done" : status)),
    }),
    input: ({ id: task, status }) => ({ task, status }),
    gives: outlook,
    effect: "changing",
    example: { id: 7, status: "pending" },
    target: { field: "id", of: "task" },
  },
  page: { name: "set_status", takes: taskStatusSet.payload, input: (given) => given },
});
