import { toSqlTime } from "../events/time.ts";
import { defineProjection } from "./projection.ts";
import { defineTable, integer, text } from "./table.ts";

export const disciplinesTable = defineTable("disciplines", {
  columns: { name: text, id: integer, display_name: text, description: text, created: text },
  key: ["name"],
  indexes: { by_id: ["id"] },
});

export const disciplines = defineProjection({
  name: "disciplines",
  version: 1,
  tables: { disciplines: disciplinesTable },
  on: {
    "discipline.created": ({ position, payload, recordedAt }, rows) =>
      rows.disciplines.insert({
        name: payload.discipline,
        id: position,
        display_name: payload.display_name,
        description: payload.description,
        created: toSqlTime(recordedAt),
      }),
    "discipline.changed": ({ payload: { discipline, ...fields } }, rows) =>
      rows.disciplines.update(discipline, fields),
  },
});
