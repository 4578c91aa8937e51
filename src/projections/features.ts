import { toSqlTime } from "../lib/time.ts";
import { agentWords, agentWordsColumns } from "./agent-words.ts";
import { defineProjection } from "./projection.ts";
import { defineTable, integer, json, means, nullable, text } from "./table.ts";

export const featuresTable = defineTable("features", {
  description: "The features that group tasks and learnings.",
  columns: {
    name: text,
    id: means(integer, "the position of the event that made it"),
    display_name: text,
    description: text,
    acronym: nullable(text),
    context_files: means(json, "array of paths that the agents on its tasks should know"),
    knowledge_paths: means(json, "array of paths to read first"),
    architecture: nullable(text),
    boundaries: nullable(text),
    dependencies: means(json, "array of names of features that it builds on"),
    ...agentWordsColumns,
    plan: means(nullable(integer), "the plan that proposed it, if one did"),
    created: text,
  },
  key: ["name"],
  indexes: { by_id: ["id"] },
});

export const features = defineProjection({
  name: "features",
  version: 5,
  tables: { features: featuresTable },
  on: {
    "feature.created": ({ position, payload: { feature, ...payload }, actor, recordedAt }, rows) =>
      rows.features.insert({
        name: feature,
        id: position,
        display_name: payload.display_name,
        description: payload.description,
        acronym: payload.acronym ?? null,
        architecture: payload.architecture ?? null,
        boundaries: payload.boundaries ?? null,
        context_files: JSON.stringify(payload.context_files ?? []),
        knowledge_paths: JSON.stringify(payload.knowledge_paths ?? []),
        dependencies: JSON.stringify(payload.dependencies ?? []),
        ...agentWords(actor, payload),
        plan: payload.plan ?? null,
        created: toSqlTime(recordedAt),
      }),
    "feature.changed": ({ payload: { feature, ...fields }, actor }, rows) => {
      const { context_files, knowledge_paths, dependencies, ...texts } = fields;
      rows.features.update(feature, {
        ...texts,
        context_files: list(context_files),
        knowledge_paths: list(knowledge_paths),
        dependencies: list(dependencies),
        ...agentWords(actor, fields, rows.features.get(feature)),
      });
    },
    "feature.deleted": ({ payload }, rows) => rows.features.delete(payload.feature),
  },
});

/** The column of a list; undefined if the event has none, so that the old value stays. */
function list(values: readonly string[] | undefined): string | undefined {
  return values && JSON.stringify(values);
}
