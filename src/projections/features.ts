import { toSqlTime } from "../events/time.ts";
import { defineProjection } from "./projection.ts";
import { defineTable, integer, text } from "./table.ts";

export const featuresTable = defineTable("features", {
  columns: { name: text, id: integer, display_name: text, description: text, created: text },
  key: ["name"],
  indexes: { by_id: ["id"] },
});

export const features = defineProjection({
  name: "features",
  version: 1,
  tables: { features: featuresTable },
  on: {
    "feature.created": ({ position, payload, recordedAt }, rows) =>
      rows.features.insert({
        name: payload.feature,
        id: position,
        display_name: payload.display_name,
        description: payload.description,
        created: toSqlTime(recordedAt),
      }),
    "feature.changed": ({ payload: { feature, ...fields } }, rows) => rows.features.update(feature, fields),
  },
});
