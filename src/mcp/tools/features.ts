import { z } from "zod";
import { changeFeature, createFeature, deleteFeature } from "../../decisions/features.ts";
import { noFeature, stateOf } from "../../decisions/state.ts";
import { featureChanged } from "../../events/types/features.ts";
import { line, name } from "../../events/types/fields.ts";
import { learningKinds } from "../../events/types/signals.ts";
import { askAtHead } from "../../projections/ask.ts";
import { featureDetails, listFeatures } from "../../projections/queries/catalogue.ts";
import { shorten } from "../../shorten.ts";
import { fitting } from "../fitting.ts";
import { CHANGING, CREATING, DELETING, decideFor, defineTool, READING } from "../tool.ts";
import { agentWordsShown } from "./agent-words.ts";

const { feature: _, ...given } = featureChanged.payload.shape;
/** What can be said of a feature, besides its name; in a change each replaces what was there. */
const fields = {
  ...given,
  knowledge_paths: given.knowledge_paths.describe("Paths to read first."),
  context_files: given.context_files.describe("Paths to know."),
  boundaries: given.boundaries.describe("What is not part of it."),
  dependencies: given.dependencies.describe("Names of features that it builds on."),
};

/** Seed 001's tools for features; those that add to what is known of one are in feature-knowledge.ts. */
export const featureTools = [
  defineTool({
    name: "list_features",
    title: "List features",
    description: "All features. Long descriptions are shortened, a list that is too long is cut.",
    input: z.strictObject({}),
    output: z.strictObject({
      features: z.array(
        z.strictObject({
          name,
          display_name: z.string(),
          acronym: z.string().nullable(),
          description: z.string(),
          dependencies: z.array(name),
        }),
      ),
      total: z.int(),
      next: z.string().optional(),
    }),
    annotations: READING,
    command: "feature list",
    example: {},
    async run(_args, call) {
      const features = await askAtHead(call.store, listFeatures);
      const lines = features.map(({ name, display_name, acronym, description, dependencies }) => ({
        ...{ name, display_name, acronym, dependencies },
        description: shorten(description, DESCRIPTION_LIMIT),
      }));
      const { entries, ...rest } = fitting(lines, { noun: "features", tool: "get_feature" });
      return { features: entries, ...rest };
    },
  }),
  defineTool({
    name: "get_feature",
    title: "Get a feature",
    description:
      "All of a feature: also its context files, and what was learned about it, the last confirmed first.",
    input: z.strictObject({ name }),
    output: z.strictObject({
      name,
      display_name: z.string(),
      description: z.string(),
      acronym: z.string().nullable(),
      architecture: z.string().nullable(),
      boundaries: z.string().nullable(),
      dependencies: z.array(name),
      knowledge_paths: z.array(z.string()),
      context_files: z.array(z.string()),
      ...agentWordsShown,
      learnings: z.array(
        z.strictObject({
          id: z.int(),
          text: z.string(),
          kind: z.enum(learningKinds),
          rationale: z.string().nullable(),
          confirmations: z.int(),
        }),
      ),
      learnings_left_out: z.int().describe("How many learnings there are besides those."),
    }),
    annotations: READING,
    command: "feature show",
    example: { name: "general" },
    terse: true,
    run: ({ name: of }, call) =>
      askAtHead(call.store, (readModel) => {
        const feature = featureDetails(readModel, of);
        if (!feature) throw noFeature(stateOf(readModel), of, "name");
        const { id: _id, created: _created, agent_words, ...details } = feature;
        return {
          ...details,
          agent_words: agent_words === 1,
          learnings: details.learnings.map(({ id, text, kind, rationale, confirmations }) => ({
            ...{ id, kind, rationale, confirmations },
            text: shorten(text, LEARNING_LIMIT),
          })),
        };
      }),
  }),
  defineTool({
    name: "create_feature",
    title: "Add a feature",
    description: "Add a feature, for tasks and learnings to belong to. Fails if the name is taken.",
    input: z.strictObject({
      name: name.describe("By which tasks refer to it; it never changes."),
      ...fields,
      display_name: line,
    }),
    output: z.strictObject({ name, next: z.string() }),
    annotations: CREATING,
    command: "feature add",
    example: {
      name: "billing",
      display_name: "Billing",
      description: "Invoices and payments.",
      acronym: "BILL",
      boundaries: "No tax returns.",
      dependencies: ["general"],
    },
    terse: true,
    async run(args, call) {
      await decideFor(call, createFeature(args));
      return { name: args.name, next: `A task belongs to it by \`feature\` ${JSON.stringify(args.name)}.` };
    },
  }),
  defineTool({
    name: "update_feature",
    title: "Change a feature",
    description: "Change fields of a feature. A list replaces the whole list that was there.",
    input: z.strictObject({ name, ...fields }),
    output: z.strictObject({ name, changed: z.array(z.string()) }),
    annotations: CHANGING,
    command: "feature set",
    example: { name: "general", description: "All that has no feature of its own." },
    terse: true,
    async run(args, call) {
      await decideFor(call, changeFeature(args));
      const { name: feature, ...changed } = args;
      return { name: feature, changed: Object.keys(changed) };
    },
  }),
  defineTool({
    name: "delete_feature",
    title: "Delete a feature",
    description: "Delete a feature. Fails if a task is of it or another feature depends on it.",
    input: z.strictObject({ name }),
    output: z.strictObject({ deleted: name }),
    annotations: DELETING,
    command: "feature delete",
    example: { name: "billing" },
    terse: true,
    async run(args, call) {
      await decideFor(call, deleteFeature(args));
      return { deleted: args.name };
    },
  }),
] as const;

/** In characters. */
const DESCRIPTION_LIMIT = 300;
const LEARNING_LIMIT = 1_000;
