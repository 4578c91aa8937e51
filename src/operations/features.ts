import { z } from "zod";
import { changedFields, givenFields } from "../decisions/given-fields.ts";
import { Refusal } from "../decisions/refusal.ts";
import { checkUnused } from "../decisions/rules/deletion.ts";
import { requireFeature, type State } from "../decisions/state.ts";
import { featureChanged, featureCreated } from "../events/types/features.ts";
import { name, taskId } from "../events/types/fields.ts";
import { learningAdded } from "../events/types/learnings.ts";
import { findPath } from "../lib/graph-path.ts";
import { someOf } from "../lib/some-of.ts";
import { quoteLine } from "../lib/terminal/output.ts";
import { parseColumn } from "../projections/parse-column.ts";
import { findFeature } from "../queries/catalogue.ts";
import type { ReadModel } from "../read-model/read-model.ts";
import { deleteWords, entryFields, entryLine } from "./catalogue.ts";
import { listFeatures, showFeature } from "./features-reading.ts";
import { defineGroup } from "./group.ts";
import { kept, keptLearningLine } from "./kept-learning.ts";
import { addLearning } from "./learnings.ts";
import { defineOperation } from "./operation.ts";
import { planOf } from "./plans.ts";

const { feature: _, ...changeable } = featureChanged.payload.shape;
/** Tasks refer to it by this name, which never changes. */
const input = z.strictObject({ name, ...changeable });

/** The fields of `feature.changed`; the display name of a new one defaults to its name. */
export type FeatureFields = z.input<typeof input>;

const FEATURE = ["<name>", "the feature's name"] as const;
const path = changeable.context_files.unwrap().element;
const { text, source, reason } = learningAdded.payload.shape;

const takes = {
  ...entryFields,
  context_files: ["--context-file <path>", "a file that the agents of its tasks should know (repeatable)"],
  knowledge_paths: ["--knowledge-path <path>", "a file or folder that they should read first (repeatable)"],
  architecture: ["--architecture <text>", "how it is built"],
  boundaries: ["--boundaries <text>", "out of scope"],
  dependencies: ["--depends-on <names>", "features that it builds on, e.g. core,billing"],
} as const;

/** The fields of a feature that tools can set; in a change each replaces the old value. */
const told = {
  ...changeable,
  knowledge_paths: changeable.knowledge_paths.describe("Paths to read first."),
  context_files: changeable.context_files.describe("Other useful paths."),
  boundaries: changeable.boundaries.describe("What is not part of it."),
  dependencies: changeable.dependencies.describe("Names of features that it builds on."),
};

/**
 * @throws Refusal `already_exists`; `not_found`, `circle`: a feature to depend on is missing, or
 * depends on this one
 */
export const createFeature = defineOperation({
  type: "feature.created",
  input,
  plan({ name, display_name = name, description = "", dependencies, ...knowledge }, state, session) {
    if (state.features.get(name))
      throw new Refusal("already_exists", `The feature "${name}" already exists.`);
    const checked = checkDependencies(state, name, dependencies);
    const fields = givenFields({
      ...knowledge,
      dependencies: checked,
      plan: planOf(state, session)?.plan,
    });
    return [{ type: "feature.created", payload: { feature: name, display_name, description, ...fields } }];
  },
  answer: ({ input, readModel }) => findFeature(readModel, input.name) ?? null,
  command: {
    name: "add",
    does: "add a feature",
    takes,
    example: "billing --display-name Billing --boundaries 'No tax returns.'",
    says: (entry, given) => entryLine("feature", entry, given),
  },
  tool: {
    name: "create_feature",
    title: "Add a feature",
    description: "Add a feature, which groups tasks and learnings. Fails if the name is taken.",
    takes: z.strictObject({
      name: name.describe("Tasks refer to it by this name, which never changes."),
      ...told,
      display_name: featureCreated.payload.shape.display_name,
    }),
    input: (args) => args,
    gives: z.strictObject({ name, next: z.string() }),
    answer: ({ input: { name } }) => ({
      name,
      next: `Give a task this feature with \`feature\` ${JSON.stringify(name)}.`,
    }),
    effect: "creating",
    example: {
      name: "billing",
      display_name: "Billing",
      description: "Invoices and payments.",
      acronym: "BILL",
      boundaries: "No tax returns.",
      dependencies: ["general"],
    },
    terse: true,
  },
});

/**
 * Lists replace the old ones.
 *
 * @throws Refusal `not_found`, `circle`, `nothing_to_do`
 */
export const changeFeature = defineOperation({
  type: "feature.changed",
  input,
  plan({ name, dependencies, ...fields }, state) {
    requireFeature(state, name, "name");
    const checked = checkDependencies(state, name, dependencies);
    const given = { ...fields, dependencies: checked };
    const changed = changedFields(`"${name}"`, given, Object.keys(changeable));
    return [{ type: "feature.changed", payload: { feature: name, ...changed } }];
  },
  answer: ({ input, readModel }) => findFeature(readModel, input.name) ?? null,
  command: {
    name: "set",
    does: "change a feature",
    takes,
    example: "general --description 'Everything else.'",
    says: (entry, given) => entryLine("feature", entry, given),
  },
  tool: {
    name: "update_feature",
    title: "Change a feature",
    description: "Change fields of a feature. A list replaces the whole list.",
    takes: z.strictObject({ name, ...told }),
    input: (args) => args,
    gives: z.strictObject({ name, changed: z.array(z.string()) }),
    answer: ({ input: { name, ...changed } }) => ({ name, changed: Object.keys(changed) }),
    effect: "changing",
    example: { name: "general", description: "Everything without a feature of its own." },
    terse: true,
  },
});

/** @throws Refusal `not_found`; `not_possible`: a task or another feature refers to it, or it is `general` */
export const deleteFeature = defineOperation({
  type: "feature.deleted",
  input: z.strictObject({ name }),
  plan({ name }, state) {
    requireFeature(state, name, "name");
    checkUnused("feature", name, state.tasks.where({ feature: name }));
    const dependents = state.features.scan((row) => namesIn(row.dependencies).includes(name));
    if (dependents.length > 0) {
      const names = someOf(dependents.map((row) => `"${row.name}"`));
      throw new Refusal(
        "not_possible",
        `The feature "${name}" cannot be deleted while other features depend on it: ${names}. Remove ` +
          "that dependency first with `signalbox feature set NAME --depends-on …`.",
      );
    }
    return [{ type: "feature.deleted", payload: { feature: name } }];
  },
  answer: ({ input }) => ({ deleted: input.name }),
  command: deleteWords("feature"),
  tool: {
    name: "delete_feature",
    title: "Delete a feature",
    description: "Delete a feature. Fails if a task belongs to it or another feature depends on it.",
    takes: z.strictObject({ name }),
    input: (args) => args,
    gives: z.strictObject({ deleted: name }),
    answer: ({ input }) => ({ deleted: input.name }),
    effect: "deleting",
    example: { name: "billing" },
    terse: true,
  },
});

/**
 * Adds a file that the agents of a feature's tasks should know; adding it again changes nothing.
 *
 * @throws Refusal `not_found`; `nothing_to_do`: it is in the list
 */
export const addContextFile = defineOperation({
  type: "feature.changed",
  input: z.strictObject({ name, path }),
  plan({ name, path }, state) {
    const files = namesIn(requireFeature(state, name).context_files);
    if (files.includes(path)) {
      throw new Refusal("nothing_to_do", `"${path}" is already a context file of the feature "${name}".`);
    }
    return [{ type: "feature.changed", payload: { feature: name, context_files: [...files, path] } }];
  },
  answer: ({ input, readModel }) => ({ added: true, ...filesOf(readModel, input) }),
  unchanged: ({ input, readModel }) => ({ added: false, ...filesOf(readModel, input) }),
  command: {
    name: "context-file",
    does: "add a file that the agents on a feature's tasks should know",
    takes: { name: FEATURE, path: ["<path>", "the file, relative to the project"] },
    example: "billing src/invoice.ts",
    says: ({ added, context_files }, { name }) => [
      `${added ? "Added" : "Nothing to do"}; context files of the feature ${quoteLine(name)}:`,
      ...context_files.map((file) => `  ${quoteLine(file, 200)}`),
    ],
  },
  tool: {
    name: "add_feature_context_file",
    title: "Add a context file",
    description:
      "Add a file that the agents on a feature's tasks should know. Adding it again changes nothing.",
    takes: z.strictObject({ feature_name: name, file_path: path }),
    input: ({ feature_name: name, file_path: path }) => ({ name, path }),
    gives: z.strictObject({ added: z.boolean(), context_files: z.array(z.string()) }),
    effect: "adding",
    example: { feature_name: "general", file_path: "docs/architecture.md" },
  },
});

function filesOf(readModel: ReadModel, { name }: { readonly name: string }) {
  return { context_files: findFeature(readModel, name)?.context_files ?? [] };
}

/** Adds a learning about a feature: `addLearning` with a required feature. */
const learn = defineOperation({
  ...addLearning,
  command: {
    name: "learn",
    does: "add a learning about a feature, for the prompts of its tasks",
    takes: {
      feature: FEATURE,
      text: ["<text>", "what was learned"],
      source: ["--source <who>", "who learned it", { absent: "human" }],
      reason: ["--reason <text>", "why it is so"],
      task: ["--task <id>", "the task during which it was learned"],
    },
    example: "billing 'Amounts are in cents.'",
    says: keptLearningLine,
  },
  tool: {
    name: "append_feature_learning",
    title: "Add a learning",
    description:
      "Add a learning about a feature. One that says the same as an earlier one is joined with it.",
    takes: z.strictObject({
      feature_name: name,
      text,
      source: source.default("agent").describe("Who learned it."),
      reason,
      task_id: taskId.optional().describe("The task during which it was learned."),
    }),
    input: ({ feature_name: feature, task_id: task, ...learning }) => ({ feature, task, ...learning }),
    gives: kept,
    effect: "creating",
    example: { feature_name: "general", text: "All times are in UTC.", reason: "Servers are everywhere." },
  },
});

export const features = defineGroup({
  name: "feature",
  does: "features, which group tasks and learnings",
  has: [createFeature, changeFeature, listFeatures, showFeature, learn, addContextFile, deleteFeature],
});

/**
 * Without duplicates, in the given order. @throws Refusal `not_found`; `circle`: one of them
 * depends on the feature itself
 */
function checkDependencies(
  state: State,
  name: string,
  dependencies: readonly string[] | undefined,
): string[] | undefined {
  if (!dependencies) return undefined;
  for (const other of dependencies) {
    const way = findPath(other, name, (at) => namesIn(state.features.get(at)?.dependencies ?? "[]"));
    if (way) {
      const circle = [name, ...way].map((at) => `"${at}"`).join(" → ");
      throw new Refusal(
        "circle",
        `The feature "${name}" cannot depend on "${other}": that would be a circular dependency, ` +
          `${circle}.`,
        { field: "dependencies" },
      );
    }
    requireFeature(state, other, "dependencies");
  }
  return [...new Set(dependencies)];
}

/** The texts of a column with a JSON array. */
function namesIn(column: string): string[] {
  return parseColumn(column);
}
