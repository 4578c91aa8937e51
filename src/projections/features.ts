import { AGENT } from "../events/actors.ts";
import { toSqlTime } from "../events/time.ts";
import { defineProjection } from "./projection.ts";
import { defineTable, flag, integer, json, nullable, text, toFlag } from "./table.ts";

export const featuresTable = defineTable("features", {
  columns: {
    name: text,
    id: integer,
    display_name: text,
    description: text,
    acronym: nullable(text),
    /** JSON array of paths. */
    context_files: json,
    /** JSON array of paths to read before anything else. */
    knowledge_paths: json,
    architecture: nullable(text),
    boundaries: nullable(text),
    /** JSON array of names of features. */
    dependencies: json,
    /** 1 if an agent wrote it or changed words of it: a prompt then quotes them as an agent's. */
    agent_words: flag,
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
