import { z } from "zod";
import { addContextFile } from "../../decisions/features.ts";
import { happened } from "../../decisions/refusal.ts";
import { featureChanged } from "../../events/types/features.ts";
import { name, taskId } from "../../events/types/fields.ts";
import { learningAdded } from "../../events/types/learnings.ts";
import { kept } from "../../operations/kept-learning.ts";
import { addLearning } from "../../operations/learnings.ts";
import { askAtHead } from "../../projections/ask.ts";
import { findFeature } from "../../projections/queries/catalogue.ts";
import { keptLearning } from "../../projections/queries/kept-learning.ts";
import { CREATING, decideFor, defineTool, REPORTING } from "../tool.ts";

const { text, source, reason } = learningAdded.payload.shape;
const filePath = featureChanged.payload.shape.context_files.unwrap().element;

/** Seed 001's tools that add to what is known of a feature. */
export const featureKnowledgeTools = [
  defineTool({
    name: "append_feature_learning",
    title: "Add a learning",
    description:
      "Add something learned about a feature. What says the same as an earlier one is joined with it.",
    input: z.strictObject({
      feature_name: name,
      text,
      source: source.default("agent").describe("Who found it out."),
      reason,
      task_id: taskId.optional().describe("The task in whose course it was found."),
    }),
    output: kept,
    annotations: CREATING,
    command: "feature learn",
    example: { feature_name: "general", text: "All times are in UTC.", reason: "Servers are everywhere." },
    async run({ feature_name: feature, text, source, reason, task_id: task }, call) {
      const [event] = await decideFor(call, addLearning({ feature, text, source, reason, task }));
      return askAtHead(call.store, (readModel) => keptLearning(readModel, event.position));
    },
  }),
  defineTool({
    name: "add_feature_context_file",
    title: "Add a context file",
    description:
      "Name a file that the agents of a feature's tasks should know. Naming it again changes nothing.",
    input: z.strictObject({ feature_name: name, file_path: filePath }),
    output: z.strictObject({ added: z.boolean(), context_files: z.array(z.string()) }),
    annotations: REPORTING,
    command: "feature context-file",
    example: { feature_name: "general", file_path: "docs/architecture.md" },
    async run({ feature_name: feature, file_path: path }, call) {
      const added = await happened(decideFor(call, addContextFile({ name: feature, path })));
      const now = await askAtHead(call.store, (readModel) => findFeature(readModel, feature));
      return { added, context_files: now?.context_files ?? [] };
    },
  }),
] as const;
