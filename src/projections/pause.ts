import { toSqlTime } from "../lib/time.ts";
import { defineProjection } from "./projection.ts";
import { defineTable, integer, means, nullable, text } from "./table.ts";

const pauseTable = defineTable("pause", {
  description: "One row while work is paused: no driver starts a session.",
  columns: {
    id: means(integer, "1"),
    position: means(integer, "of the event that paused it"),
    actor: means(text, "who paused it"),
    reason: means(nullable(text), "why, for people"),
    since: text,
  },
  key: ["id"],
});

export const pause = defineProjection({
  name: "pause",
  version: 1,
  tables: { pause: pauseTable },
  on: {
    "work.paused": ({ payload: { reason = null }, position, actor, recordedAt }, rows) => {
      if (rows.pause.get(1)) return;
      rows.pause.insert({ id: 1, position, actor, reason, since: toSqlTime(recordedAt) });
    },
    "work.resumed": (_event, rows) => {
      if (rows.pause.get(1)) rows.pause.delete(1);
    },
  },
});
