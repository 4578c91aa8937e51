import { loopEndings, pauses } from "../events/types/loops.ts";
import { toIsoTime, toSqlTime } from "../lib/time.ts";
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
    host: means(nullable(text), "where it runs; NULL if that was not recorded. See `hosts`"),
    budget_micro_usd: means(nullable(integer), "the most that it may cost, in millionths of a US dollar"),
    budget_tokens: means(nullable(integer), "the most tokens that it may use, input and output"),
    stop_asked_at: means(nullable(text), "when somebody asked it to stop"),
    stop_asked_by: means(nullable(text), "the actor who did"),
    stopped_at: means(nullable(text), "NULL while it runs, and forever if it died"),
    stopped_position: means(nullable(integer), "of its end"),
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
  version: 5,
  tables: { loops: loopsTable },
  on: {
    "loop.started": ({ payload: { budget, host = null, ...loop }, position, recordedAt }, rows) => {
      if (rows.loops.get(loop.driver)) return;
      rows.loops.insert({
        ...loop,
        host,
        position,
        started_at: toSqlTime(recordedAt),
        budget_micro_usd: budget?.usd === undefined ? null : Math.round(budget.usd * 1_000_000),
        budget_tokens: budget?.tokens ?? null,
      });
    },
    "loop.waiting": ({ payload: { driver, why, reason, until } }, rows) =>
      rows.loops.update(driver, {
        waits_for: why,
        waits_until: toSqlTime(toIsoTime(Date.parse(until) * 1_000)),
        waits_reason: reason,
      }),
    "session.started": ({ payload: { driver, host } }, rows) => {
      const loop = driver === undefined ? undefined : rows.loops.get(driver);
      if (loop?.waits_for) rows.loops.update(loop.driver, NO_WAIT);
      // Older programs did not say where a loop runs.
      if (loop?.host === null && host !== undefined) rows.loops.update(loop.driver, { host });
    },
    "loop.stop_asked": ({ payload: { driver }, actor, recordedAt }, rows) =>
      rows.loops.update(driver, { stop_asked_at: toSqlTime(recordedAt), stop_asked_by: actor }),
    "loop.stopped": ({ payload: { driver, ...end }, position, recordedAt }, rows) =>
      rows.loops.update(driver, {
        ...end,
        ...NO_WAIT,
        stopped_at: toSqlTime(recordedAt),
        stopped_position: position,
      }),
  },
});

const NO_WAIT = { waits_for: null, waits_until: null, waits_reason: null } as const;
