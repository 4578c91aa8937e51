import { toSqlTime } from "../lib/time.ts";
import { defineProjection } from "./projection.ts";
import { defineTable, integer, json, means, nullable, text } from "./table.ts";

export const promptsTable = defineTable("prompts", {
  description: "What the last prompt built for each session was made of.",
  columns: {
    session_id: text,
    task_id: means(nullable(integer), "NULL for a session without a task"),
    position: means(integer, "of the event"),
    positions: means(json, "array of the positions of the events it was built from, ascending"),
    characters: means(integer, "its length"),
    tokens: means(integer, "an estimate: a quarter of the characters"),
    cut: means(integer, "how many entries were left out"),
    sha256: means(text, "of the text, hex"),
    created: text,
  },
  key: ["session_id"],
  indexes: { by_task: ["task_id", "position"] },
});

export const prompts = defineProjection({
  name: "prompts",
  version: 2,
  tables: { prompts: promptsTable },
  on: {
    "prompt.built": ({ payload, position, recordedAt }, rows) => {
      const { session, task, positions, ...size } = payload;
      rows.prompts.delete(session);
      rows.prompts.insert({
        session_id: session,
        task_id: task ?? null,
        position,
        positions: JSON.stringify(positions),
        ...size,
        created: toSqlTime(recordedAt),
      });
    },
  },
});
