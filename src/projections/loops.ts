import { toSqlTime } from "../events/time.ts";
import { loopEndings } from "../events/types/loops.ts";
import { defineProjection } from "./projection.ts";
import { defineTable, integer, means, nullable, oneOf, text } from "./table.ts";

const loopsTable = defineTable("loops", {
  description: "The runs of drivers.",
  columns: {
    driver: means(text, "the run's name; `sessions.driver` refers to it"),
    agent: means(text, "the agent that it launches, by its name in the configuration"),
    jobs: means(integer, "how many sessions it runs at the same time, at most"),
    position: means(integer, "of its start"),
    started_at: text,
    stopped_at: means(nullable(text), "NULL while it runs, and for ever if it died"),
    ending: nullable(oneOf(loopEndings)),
    reason: means(nullable(text), "the ending for people"),
    sessions: means(nullable(integer), "how many it ran"),
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
