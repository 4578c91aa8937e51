import { z } from "zod";
import { taskStatus } from "../../events/types/fields.ts";
import { askAtHead } from "../../projections/ask.ts";
import { projectInfo, projectProgress } from "../../projections/queries/project.ts";
import { defineTool, READING } from "../tool.ts";

const count = z.int().min(0);

const completion = {
  total: count,
  done: count,
  percentage: count
    .nullable()
    .describe("Of the tasks that are not skipped, rounded down; null where there are none."),
};

/** Tools on the project as a whole. */
export const projectTools = [
  defineTool({
    name: "get_project_info",
    title: "Get the project's info",
    description: "The project's title (null: none was given), description, and time of creation in UTC.",
    input: z.strictObject({}),
    output: z.strictObject({
      title: z.string().nullable(),
      description: z.string(),
      created: z.string().nullable(),
    }),
    annotations: READING,
    command: "project show",
    example: {},
    run: (_args, call) => askAtHead(call.store, projectInfo),
  }),
  defineTool({
    name: "get_project_progress",
    title: "Get the project's progress",
    description:
      "How many tasks there are and are done, by status and by feature; the percentage leaves out skipped ones.",
    input: z.strictObject({}),
    output: z.strictObject({
      ...completion,
      by_status: z.partialRecord(taskStatus, count),
      by_feature: z.array(z.strictObject({ feature: z.string(), ...completion })),
    }),
    annotations: READING,
    command: "project show",
    example: {},
    run: (_args, call) =>
      askAtHead(call.store, (readModel) => {
        const { by_feature, ...progress } = projectProgress(readModel);
        return { ...progress, by_feature: [...by_feature] };
      }),
  }),
] as const;
