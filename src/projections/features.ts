import { toSqlTime } from "../events/time.ts";
import { defineProjection } from "./projection.ts";
import { defineTable, integer, json, text } from "./table.ts";

export const featuresTable = defineTable("features", {
  columns: {
    name: text,
    id: integer,
    display_name: text,
    description: text,
    context_files: json,
    created: text,
  },
  key: ["name"],
  indexes: { by_id: ["id"] },
});

export const features = defineProjection({
  name: "features",
  version: 2,
  tables: { features: featuresTable },
  on: {
    "feature.created": ({ position, payload, recordedAt }, rows) =>
      rows.features.insert({
        name: payload.feature,
        id: position,
        display_name: payload.display_name,
        description: payload.description,
        context_files: JSON.stringify(payload.context_files ?? []),
        created: toSqlTime(recordedAt),
      }),
    "feature.changed": ({ payload: { feature, context_files, ...fields } }, rows) =>
      rows.features.update(feature, {
        ...fields,
        context_files: context_files && JSON.stringify(context_files),
      }),
  },
});
