import { z } from "zod";
import { givenFields } from "../decisions/given-fields.ts";
import { Refusal } from "../decisions/refusal.ts";
import { taskStatus } from "../events/types/fields.ts";
import { projectDescribed } from "../events/types/projects.ts";
import { pc, quoteLine, quoteText, tableLines } from "../lib/terminal/output.ts";
import { type ProjectProgress, projectInfo, projectProgress } from "../queries/project.ts";
import { defineGroup } from "./group.ts";
import { defineOperation } from "./operation.ts";
import { defineReading } from "./reading.ts";

const show = defineReading({
  input: z.strictObject({}),
  ask: (readModel) => ({ ...projectInfo(readModel), progress: projectProgress(readModel) }),
  command: {
    name: "show",
    isDefault: true,
    does: "show the project's title, description, creation time and progress",
    takes: {},
    example: "--json",
    says: ({ title, description, created, progress }, _input, folder) => [
      title === null ? pc.dim("no title") : pc.bold(quoteLine(title, 500)),
      pc.dim(`${folder} · since ${created?.slice(0, 16) ?? "never"} UTC`),
      ...(description === "" ? [] : [`\n${quoteText(description)}`]),
      `\n${progress.done} of ${progress.total} tasks are done${percent(progress)}`,
      ...(progress.total === 0 ? [] : ["", ...featureLines(progress)]),
    ],
  },
  tool: {
    name: "get_project_info",
    title: "Get the project's info",
    description: "The project's title (null if it has none), description, and creation time in UTC.",
    takes: z.strictObject({}),
    input: (args) => args,
    gives: z.strictObject({
      title: z.string().nullable(),
      description: z.string(),
      created: z.string().nullable(),
    }),
    answer: ({ progress: _, ...info }) => info,
    example: {},
  },
});

function percent({ percentage, by_status }: ProjectProgress): string {
  const skipped = by_status.skipped ?? 0;
  if (percentage === null) return "";
  return skipped === 0 ? `, ${percentage} %` : `, ${percentage} % of tasks not skipped`;
}

function featureLines({ by_feature }: ProjectProgress): string[] {
  return tableLines(
    ["feature", "done", "tasks", "%"],
    by_feature.map(({ feature, done, total, percentage }) => [quoteLine(feature), done, total, percentage]),
  );
}

const count = z.int().min(0);

const completion = {
  total: count,
  done: count,
  percentage: count.nullable().describe("Of tasks not skipped, rounded down; null if there are none."),
};

const progress = defineReading({
  input: z.strictObject({}),
  ask: projectProgress,
  tool: {
    name: "get_project_progress",
    title: "Get the project's progress",
    description:
      "Task counts and done counts, by status and by feature, and the percentage done, without " +
      "skipped tasks.",
    command: "project show",
    takes: z.strictObject({}),
    input: (args) => args,
    gives: z.strictObject({
      ...completion,
      by_status: z.partialRecord(taskStatus, count),
      by_feature: z.array(z.strictObject({ feature: z.string(), ...completion })),
    }),
    example: {},
  },
});

/** Sets the project's title or description; absent fields stay. @throws Refusal `nothing_to_do` */
export const describeProject = defineOperation({
  type: "project.described",
  input: projectDescribed.payload,
  plan(input) {
    const payload = givenFields(input);
    if (Object.keys(payload).length === 0) {
      throw new Refusal("nothing_to_do", "Nothing to change: give a title or a description.");
    }
    return [{ type: "project.described", payload }];
  },
  answer: ({ readModel }) => projectInfo(readModel),
  command: {
    name: "set",
    does: "give the project a title or a description",
    takes: {
      title: ["--title <text>", "one line"],
      description: ["--description <text>", 'what it is about; "" removes it'],
    },
    example: "--title Invoices",
    says: ({ title }) =>
      `The project ${title === null ? "has no title" : `is called ${quoteLine(title, 200)}`}.`,
  },
});

export const project = defineGroup({
  name: "project",
  does: "the project's title, description and progress",
  has: [show, progress, describeProject],
});
