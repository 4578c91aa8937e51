import { z } from "zod";
import { describeProject } from "../../../src/operations/project.ts";
import { setTaskStatus } from "../../../src/operations/task-status.ts";
import { only, type Row } from "./row.ts";

const info = only("title", "description", "created");

export const projectRows = {
  get_project_info: {
    given: [describeProject({ title: "Shop", description: "It sells books." })],
    command: ["project", "show"],
    shows: { answer: info, printed: info },
  },
  get_project_progress: {
    given: [setTaskStatus({ task: 2, status: "done" }), setTaskStatus({ task: 3, status: "skipped" })],
    command: ["project", "show"],
    shows: {
      answer: z.unknown(),
      printed: only("progress").transform(({ progress }) => progress),
    },
  },
} satisfies Record<string, Row>;
