import { z } from "zod";
import type { PlannedEvent } from "../decisions/decide.ts";
import { givenFields } from "../decisions/given-fields.ts";
import { Refusal } from "../decisions/refusal.ts";
import { requireTask, type State } from "../decisions/state.ts";
import { line, taskId } from "../events/types/fields.ts";
import { taskChanged, taskContinued } from "../events/types/tasks.ts";
import { isStalled } from "../projections/board/stalls.ts";
import type { Task } from "../projections/board/tables.ts";
import { nextTaskId } from "../projections/board/task-rows.ts";
import { byHumans } from "./by-humans.ts";
import { acted, actWords } from "./inbox-words.ts";
import { defineOperation } from "./operation.ts";

/*
 * What a human does with a task whose sessions did not get on (docs/rules.md, No progress), beside setting its status.
 */

const TASK = ["<id>", "the task's id"] as const;
const permit = byHumans("Only a human lets a task go on whose sessions did not get on.");

/** @throws Refusal `not_found`; `not_possible`: it does not wait for that, or the caller is an agent */
export const continueTask = defineOperation({
  type: "task.continued",
  input: taskContinued.payload.extend({ description: taskChanged.payload.shape.description }),
  permit,
  plan({ task, hint, description }, state) {
    requireStalled(state, task);
    const events: PlannedEvent[] = [{ type: "task.continued", payload: givenFields({ task, hint }) }];
    if (description !== undefined) events.push({ type: "task.changed", payload: { task, description } });
    return events;
  },
  answer: acted,
  command: {
    ...actWords(
      "continue",
      "let a task go on whose sessions did not get on",
      "7 'The header row comes from the first order.'",
    ),
    takes: {
      task: TASK,
      hint: ["[hint]", "it goes into the next prompt, as a comment"],
      description: ["--description <text>", "what to do from now on"],
    },
  },
});

/** The most parts of a task. */
const PARTS_LIMIT = 20;

/** The parts become tasks that must be done first; then the task itself goes on. @throws Refusal as `continueTask` */
export const splitTask = defineOperation({
  type: "task.continued",
  input: z.strictObject({
    task: taskId,
    part: line,
    others: z
      .array(line)
      .max(PARTS_LIMIT - 1)
      .optional(),
  }),
  permit,
  plan({ task, part, others = [] }, state) {
    const whole = requireStalled(state, task);
    if (part === "" || others.length >= PARTS_LIMIT)
      throw new Refusal("not_possible", `A task is split into 1 to ${PARTS_LIMIT} parts, each with a title.`);
    const first = nextTaskId(state);
    const parts = [part, ...others].map((title, nth) => partOf(whole, first + nth, title));
    // Not those that an open blocker added: its end takes them back.
    const declared = state.dependencies.where({ task_id: task }, (one) => one.declared === 1);
    const depends_on = [...declared.map((one) => one.depends_on), ...parts.map((one) => one.task)];
    return [
      { type: "task.continued", payload: { task } },
      ...parts.map((payload): PlannedEvent => ({ type: "task.created", payload })),
      { type: "task.changed", payload: { task, depends_on } },
    ];
  },
  answer: acted,
  command: {
    ...actWords(
      "split",
      "split a task whose sessions did not get on: its parts are done first",
      "7 'Read the orders' 'Write the CSV'",
    ),
    takes: {
      task: TASK,
      part: ["<title>", "a part: the title of a new task"],
      others: ["[more...]", "more parts"],
    },
  },
});

function partOf({ id, feature, discipline, priority }: Task, task: number, title: string) {
  return {
    ...{ task, title, feature, discipline, priority },
    description: `A part of task ${id}.`,
    status: "pending" as const,
    depends_on: [],
    accept: "auto" as const,
    gates: [],
  };
}

function requireStalled(state: State, id: number): Task {
  const task = requireTask(state, id);
  if (isStalled(task)) return task;
  throw new Refusal(
    "not_possible",
    `Task ${id} does not wait for a human because its sessions did not get on.`,
  );
}
