import { toSqlTime } from "../events/time.ts";
import { loopEndings } from "../events/types/loops.ts";
import { defineProjection } from "./projection.ts";
import { defineTable, integer, nullable, oneOf, text } from "./table.ts";

/** The runs of drivers; one without an end runs, or died. */
const loopsTable = defineTable("loops", {
  columns: {
    driver: text,
    agent: text,
    jobs: integer,
    position: integer,
    started_at: text,
    stopped_at: nullable(text),
    ending: nullable(oneOf(loopEndings)),
    reason: nullable(text),
    sessions: nullable(integer),
  },
  key: ["driver"],
  indexes: { by_start: ["position"] },
});

export const loops = defineProjection({
  name: "loops",
  version: 1,
  tables: { loops: loopsTable },
  on: {
    "loop.started": ({ payload, position, recordedAt }, rows) => {
      if (rows.loops.get(payload.driver)) return;
      rows.loops.insert({ ...payload, position, started_at: toSqlTime(recordedAt) });
    },
    "loop.stopped": ({ payload: { driver, ...end }, recordedAt }, rows) =>
      rows.loops.update(driver, { ...end, stopped_at: toSqlTime(recordedAt) }),
  },
});
