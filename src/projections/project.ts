import type { Event } from "../events/types/index.ts";
import { toSqlTime } from "../lib/time.ts";
import { defineProjection, type RowsOf } from "./projection.ts";
import { defineTable, integer, means, nullable, text } from "./table.ts";

export const projectTable = defineTable("project", {
  description: "One row: the project's title and description.",
  columns: {
    id: means(integer, "1"),
    title: nullable(text),
    description: text,
    created: means(text, "when its first feature was created, which is what `init` does first"),
  },
  key: ["id"],
});

export const progressNotes = defineTable("progress_notes", {
  description: "Notes that progress.txt shows.",
  columns: {
    id: means(integer, "the position of the event"),
    text: text,
    actor: text,
    session_id: nullable(text),
    created: text,
  },
  key: ["id"],
});

const tables = { project: projectTable, notes: progressNotes };

export const project = defineProjection({
  name: "project",
  version: 1,
  tables,
  on: {
    "feature.created": (event, rows) => begin(rows, event),
    "project.described": (event, rows) => {
      begin(rows, event);
      const { title, description } = event.payload;
      rows.project.update(1, { title, description });
    },
    "progress.noted": ({ position, payload, actor, correlation, recordedAt }, rows) =>
      rows.notes.insert({
        id: position,
        text: payload.text,
        actor,
        session_id: correlation ?? null,
        created: toSqlTime(recordedAt),
      }),
  },
});

function begin(rows: RowsOf<typeof tables>, { recordedAt }: Event): void {
  if (!rows.project.get(1)) rows.project.insert({ id: 1, description: "", created: toSqlTime(recordedAt) });
}
