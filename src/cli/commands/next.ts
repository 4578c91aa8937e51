import { z } from "zod";
import { quoteLine } from "../../lib/terminal/output.ts";
import { toApprove } from "../../operations/to-approve.ts";
import { pauseLine } from "../../operations/work.ts";
import { readingOptions } from "../making/command.ts";
import { defineCommand } from "../making/project-command.ts";

export const next = defineCommand({
  input: z.strictObject({}),
  options: readingOptions,
  async run({ queries }) {
    const task = (await queries.nextTask()) ?? null;
    const pause = (await queries.workPause()) ?? null;
    return { task, pause, waiting: task ? [] : await queries.briefTasks({ status: "pending" }) };
  },
  command: {
    name: "next",
    does: "the task to start next: the first ready one by priority, then by id; null if there is none, or work is paused",
    takes: {},
    example: "--json",
    json: ({ task }) => task,
    says: ({ task, pause, waiting }) => [
      task
        ? `#${task.id} ${quoteLine(task.title)} (${task.priority})`
        : pause
          ? pauseLine(pause)
          : "Nothing is ready.",
      ...waiting.flatMap(({ id, ...brief }) => toApprove(brief).map((line) => `#${id}: ${line}`)),
    ],
  },
});
