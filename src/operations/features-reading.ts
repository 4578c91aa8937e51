import { z } from "zod";
import { noFeature, stateOf } from "../decisions/state.ts";
import { name } from "../events/types/fields.ts";
import { learningKinds } from "../events/types/signals.ts";
import { shorten } from "../lib/shorten.ts";
import { pc, quoteText } from "../lib/terminal/output.ts";
import { listFeatures as allFeatures, type Feature, featureDetails } from "../queries/catalogue.ts";
import { agentWords, headLines, listWords, titled } from "./catalogue.ts";
import { fitting } from "./fitting.ts";
import { defineReading } from "./reading.ts";

export const listFeatures = defineReading({
  input: z.strictObject({}),
  ask: (readModel) => allFeatures(readModel),
  command: listWords<Feature>("features"),
  tool: {
    name: "list_features",
    title: "List features",
    description: "All features. Long descriptions and a long list are cut.",
    takes: z.strictObject({}),
    input: () => ({}),
    gives: z.strictObject({
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
    answer(features) {
      const lines = features.map(({ name, display_name, acronym, description, dependencies }) => ({
        ...{ name, display_name, acronym, dependencies, description },
      }));
      const { entries, ...rest } = fitting(lines, { noun: "features", tool: "get_feature" });
      return { features: entries, ...rest };
    },
    example: {},
  },
});

export const showFeature = defineReading({
  input: z.strictObject({ name }),
  ask(readModel, { name }) {
    const feature = featureDetails(readModel, name);
    if (!feature) throw noFeature(stateOf(readModel), name, "name");
    return feature;
  },
  command: {
    name: "show",
    does: "show a feature and its learnings",
    takes: { name: ["<name>", "its name"] },
    example: "general",
    says: (feature) => [
      ...headLines(feature, [feature.acronym]),
      ...titled("architecture", feature.architecture),
      ...titled("boundaries", feature.boundaries),
      ...titled("depends on", feature.dependencies),
      ...titled("read first", feature.knowledge_paths),
      ...titled("context files", feature.context_files),
      ...(feature.learnings.length > 0 ? [`\n${pc.dim("learnings")}`] : []),
      ...feature.learnings.flatMap(({ id, kind: of, text, rationale, confirmations }) => [
        `  ${pc.dim(`#${id} ${of}${confirmations > 1 ? `, confirmed ${confirmations} times` : ""}`)}`,
        quoteText(rationale === null ? text : `${text}\nWhy: ${rationale}`).replace(/^/gm, "    "),
      ]),
      ...(feature.learnings_left_out > 0
        ? [`  ${pc.dim(`and ${feature.learnings_left_out} more, in .ralph/learnings.txt`)}`]
        : []),
    ],
  },
  tool: {
    name: "get_feature",
    title: "Get a feature",
    description:
      "All fields of a feature, its context files, and its learnings, most recently confirmed first.",
    takes: z.strictObject({ name }),
    input: (args) => args,
    gives: z.strictObject({
      name,
      display_name: z.string(),
      description: z.string(),
      acronym: z.string().nullable(),
      architecture: z.string().nullable(),
      boundaries: z.string().nullable(),
      dependencies: z.array(name),
      knowledge_paths: z.array(z.string()),
      context_files: z.array(z.string()),
      ...agentWords,
      learnings: z.array(
        z.strictObject({
          id: z.int(),
          text: z.string(),
          kind: z.enum(learningKinds),
          rationale: z.string().nullable(),
          confirmations: z.int(),
        }),
      ),
      learnings_left_out: z.int().describe("How many more learnings there are."),
    }),
    answer: ({ id: _id, created: _created, agent_words, ...details }) => ({
      ...details,
      agent_words: agent_words === 1,
      learnings: details.learnings.map(({ id, kind, rationale, confirmations, text }) => ({
        ...{ id, kind, rationale, confirmations },
        text: shorten(text, LEARNING_LIMIT),
      })),
    }),
    example: { name: "general" },
    terse: true,
  },
});

/** In characters. */
const LEARNING_LIMIT = 1_000;
