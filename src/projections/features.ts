import { AGENT } from "../events/actors.ts";
import { toSqlTime } from "../events/time.ts";
import { defineProjection } from "./projection.ts";
import { defineTable, flag, integer, json, means, nullable, text, toFlag } from "./table.ts";

export const featuresTable = defineTable("features", {
  description: "What tasks and learnings belong to.",
  columns: {
    name: text,
    id: means(integer, "the position of the event that made it"),
    display_name: text,
    description: text,
    acronym: nullable(text),
    context_files: means(json, "array of paths that the agents of its tasks should know"),
    knowledge_paths: means(json, "array of paths: what to read before anything else"),
    architecture: nullable(text),
    boundaries: nullable(text),
    dependencies: means(json, "array of names of features that it builds on"),
    agent_words: means(
      flag,
      "1 if an agent wrote it or changed words of it; a prompt quotes them as an agent's",
    ),
    created: text,
  },
  key: ["name"],
  indexes: { by_id: ["id"] },
});

export const features = defineProjection({
  name: "features",
  version: 3,
  tables: { features: featuresTable },
  on: {
    "feature.created": ({ position, payload, actor, recordedAt }, rows) =>
      rows.features.insert({
        name: payload.feature,
        id: position,
        display_name: payload.display_name,
        description: payload.description,
        acronym: payload.acronym ?? null,
        architecture: payload.architecture ?? null,
        boundaries: payload.boundaries ?? null,
        context_files: JSON.stringify(payload.context_files ?? []),
        knowledge_paths: JSON.stringify(payload.knowledge_paths ?? []),
        dependencies: JSON.stringify(payload.dependencies ?? []),
        agent_words: toFlag(actor === AGENT),
        created: toSqlTime(recordedAt),
      }),
    "feature.changed": ({ payload, actor }, rows) => {
      const { feature, display_name, description, acronym, architecture, boundaries } = payload;
      rows.features.update(feature, {
        ...{ display_name, description, acronym, architecture, boundaries },
        context_files: list(payload.context_files),
        knowledge_paths: list(payload.knowledge_paths),
        dependencies: list(payload.dependencies),
        ...(actor === AGENT && { agent_words: 1 }),
      });
    },
    "feature.deleted": ({ payload }, rows) => rows.features.delete(payload.feature),
  },
});

/** A list's column; undefined where none is given, so that what is there stays. */
function list(values: readonly string[] | undefined): string | undefined {
  return values && JSON.stringify(values);
}
