import { z } from "zod";
import { setTaskStatus } from "../../../src/operations/task-status.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { only, type Row } from "./row.ts";

/** What a plan of a task has, by tool and by command. */
const plan = {
  acceptance_criteria: ["No row is lost.", "Headers stay."],
  depends_on: [3, 5],
  tags: ["export"],
  context_files: ["src/orders.ts"],
  output_artifacts: ["src/export.ts"],
  hints: "There is a writer in src/lib/csv.ts.",
  estimated_turns: 12,
};
const { acceptance_criteria, ...others } = plan;
const planOptions = [
  ...["--criterion", "No row is lost.", "--criterion", "Headers stay.", "--depends-on", "3,5"],
  ...["--tag", "export", "--context-file", "src/orders.ts", "--output-artifact", "src/export.ts"],
  ...["--hints", "There is a writer in src/lib/csv.ts.", "--estimated-turns", "12"],
];

const gates = { verify: ["npm test", "tsc -p ."], verify_max: 2, verify_timeout: 60 };
const gateOptions = [
  ...["--verify", "npm test", "--verify", "tsc -p ."],
  ...["--verify-max", "2", "--verify-timeout", "60"],
];

const inShort = z.array(
  only("id", "title", "status", "priority", "feature", "discipline", "ready", "depends_on"),
);
const inFull = [
  ...[
    "id",
    "title",
    "description",
    "status",
    "priority",
    "feature",
    "discipline",
    "origin",
    "ready",
    "accept",
  ],
  ...["depends_on", "dependencies", "dependents", "tags", "context_files", "output_artifacts", "hints"],
  ...["pseudocode", "estimated_turns", "open_session", "sessions", "stuck_count", "remaining"],
  ...["created", "updated", "completed_at"],
];
/** The tasks that are listed, however they are paged. */
const listed = z.looseObject({ tasks: inShort }).transform(({ tasks }) => tasks);
/** What the task is afterwards. */
const status = { answer: only("id", "status"), printed: only("id", "status") };

export const taskRows = {
  list_tasks: {
    given: [createTask({ title: "Task 8", depends_on: [7] }), setTaskStatus({ task: 2, status: "done" })],
    call: { filter_status: "pending", filter_feature: "general", filter_discipline: "general" },
    command: ["task", "list", "--status", "pending", "--feature", "general", "--discipline", "general"],
    shows: { answer: listed, printed: listed },
  },
  get_task: {
    given: [createTask({ title: "Task 8", ...others, criteria: acceptance_criteria, depends_on: [7] })],
    call: { id: 8 },
    command: ["task", "show", "8"],
    shows: {
      answer: only(...inFull, "acceptance_criteria").transform(
        ({ acceptance_criteria: criteria, ...task }) => ({
          ...task,
          criteria,
        }),
      ),
      printed: only(...inFull, "criteria"),
    },
  },
  create_task: {
    call: {
      feature: "general",
      discipline: "general",
      title: "Export as CSV",
      description: "Semicolons.",
      priority: "high",
      status: "draft",
      ...plan,
      ...gates,
    },
    command: [
      ...["task", "add", "Export as CSV", "--feature", "general", "--discipline", "general"],
      ...["--description", "Semicolons.", "--priority", "high", "--status", "draft", ...planOptions],
      ...gateOptions,
    ],
    shows: status,
  },
  update_task: {
    call: { id: 7, title: "Export all", description: "Tabs.", priority: "critical", ...plan, ...gates },
    command: [
      ...["task", "set", "7", "--title", "Export all", "--description", "Tabs."],
      ...["--priority", "critical", ...planOptions, ...gateOptions],
    ],
  },
  delete_task: {
    command: ["task", "delete", "7"],
    shows: { answer: only("deleted"), printed: only("deleted") },
  },
  set_task_status: {
    call: { id: 6, status: "completed" },
    command: ["task", "set", "6", "--status", "completed"],
    shows: status,
  },
  enrich_task: {
    given: [createTask({ title: "Task 8", status: "draft" })],
    call: {
      id: 8,
      pseudocode: "for each order: write a line",
      acceptance_criteria: plan.acceptance_criteria,
      context_files: plan.context_files,
      ...gates,
    },
    command: [
      ...["task", "enrich", "8", "for each order: write a line"],
      ...[
        "--criterion",
        "No row is lost.",
        "--criterion",
        "Headers stay.",
        "--context-file",
        "src/orders.ts",
      ],
      ...gateOptions,
    ],
    shows: status,
  },
} satisfies Record<string, Row>;
