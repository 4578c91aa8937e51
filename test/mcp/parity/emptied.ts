import { changeDiscipline } from "../../../src/operations/disciplines.ts";
import { createFeature } from "../../../src/operations/features.ts";
import { changeTask, createTask } from "../../../src/operations/tasks.ts";
import type { Row } from "./row.ts";

const lists = { criteria: ["No row is lost."], context_files: ["src/orders.ts"] };
const more = { tags: ["export"], output_artifacts: ["src/export.ts"], depends_on: [3] };
const shared = ["--criterion", "", "--context-file", ""];
const others = ["--tag", "", "--output-artifact", "", "--depends-on", ""];
const none = { acceptance_criteria: [], context_files: [] };
const noneElse = { tags: [], output_artifacts: [], depends_on: [] };

/** Pairs of a tool and its command that empty each list there is. */
export const emptyingRows: readonly (Row & { readonly tool: string })[] = [
  {
    tool: "create_task",
    call: { feature: "general", discipline: "general", title: "Export", ...none, ...noneElse },
    command: ["task", "add", "Export", ...shared, ...others],
  },
  {
    tool: "update_task",
    given: [changeTask({ task: 7, ...lists, ...more })],
    call: { id: 7, ...none, ...noneElse },
    command: ["task", "set", "7", ...shared, ...others],
  },
  {
    tool: "enrich_task",
    given: [createTask({ title: "Task 8", ...lists })],
    call: { id: 8, pseudocode: "x", ...none },
    command: ["task", "enrich", "8", "x", ...shared],
  },
  {
    tool: "update_feature",
    given: [
      createFeature({ name: "web", context_files: ["a"], knowledge_paths: ["b"], dependencies: ["general"] }),
    ],
    call: { name: "web", context_files: [], knowledge_paths: [], dependencies: [] },
    command: ["feature", "set", "web", "--context-file", "", "--knowledge-path", "", "--depends-on", ""],
  },
  {
    tool: "update_discipline",
    given: [changeDiscipline({ name: "general", skills: ["CSS"] })],
    call: { name: "general", skills: [] },
    command: ["discipline", "set", "general", "--skill", ""],
  },
];
