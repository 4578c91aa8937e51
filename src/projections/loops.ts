import { toIsoTime, toSqlTime } from "../events/time.ts";
import { loopEndings, pauses } from "../events/types/loops.ts";
import { defineProjection } from "./projection.ts";
import { defineTable, integer, means, nullable, oneOf, text } from "./table.ts";

const loopsTable = defineTable("loops", {
  description: "The runs of drivers.",
  columns: {
    driver: means(text, "the run's name; `sessions.driver` refers to it"),
    agent: means(text, "the agent that it launches, by its name in the configuration"),
    jobs: means(integer, "the maximum number of parallel sessions"),
    position: means(integer, "of its start"),
    started_at: text,
    stopped_at: means(nullable(text), "NULL while it runs, and forever if it died"),
    ending: nullable(oneOf(loopEndings)),
    reason: means(nullable(text), "why it ended, for people"),
    sessions: means(nullable(integer), "how many it ran"),
    waits_for: means(nullable(oneOf(pauses)), "why it pauses; NULL while it does not"),
    waits_until: means(nullable(text), "when it continues"),
    waits_reason: means(nullable(text), "why, for people"),
  },
  key: ["driver"],
  indexes: { by_start: ["position"] },
});

export const loops = defineProjection({
  name: "loops",
  version: 2,
  tables: { loops: loopsTable },
  on: {
    "loop.started": ({ payload, position, recordedAt }, rows) => {
      if (rows.loops.get(payload.driver)) return;
      rows.loops.insert({ ...payload, position, started_at: toSqlTime(recordedAt) });
    },
    "loop.waiting": ({ payload: { driver, why, reason, until } }, rows) =>
      rows.loops.update(driver, {
        waits_for: why,
        waits_until: toSqlTime(toIsoTime(Date.parse(until) * 1_000)),
        waits_reason: reason,
      }),
    "session.started": ({ payload: { driver } }, rows) => {
      if (driver !== undefined && rows.loops.get(driver)?.waits_for) rows.loops.update(driver, NO_WAIT);
    },
    "loop.stopped": ({ payload: { driver, ...end }, recordedAt }, rows) =>
      rows.loops.update(driver, { ...end, ...NO_WAIT, stopped_at: toSqlTime(recordedAt) }),
  },
});

const NO_WAIT = { waits_for: null, waits_until: null, waits_reason: null } as const;
