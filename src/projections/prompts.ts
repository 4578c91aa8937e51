import { toSqlTime } from "../events/time.ts";
import { defineProjection } from "./projection.ts";
import { defineTable, integer, json, text } from "./table.ts";

/** What each session's prompt was made of; the last one that was built for it counts. */
export const promptsTable = defineTable("prompts", {
  columns: {
    session_id: text,
    task_id: integer,
    position: integer,
    /** JSON array of the positions that went in, ascending. */
    positions: json,
    characters: integer,
    tokens: integer,
    /** How many entries there was no room for. */
    cut: integer,
    sha256: text,
    created: text,
  },
  key: ["session_id"],
  indexes: { by_task: ["task_id", "position"] },
});

export const prompts = defineProjection({
  name: "prompts",
  version: 1,
  tables: { prompts: promptsTable },
  on: {
    "prompt.built": ({ payload, position, recordedAt }, rows) => {
      const { session, task, positions, ...size } = payload;
      rows.prompts.delete(session);
      rows.prompts.insert({
        session_id: session,
        task_id: task,
        position,
        positions: JSON.stringify(positions),
        ...size,
        created: toSqlTime(recordedAt),
      });
    },
  },
});
