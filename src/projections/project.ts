import { toSqlTime } from "../events/time.ts";
import type { Event } from "../events/types/index.ts";
import { defineProjection, type RowsOf } from "./projection.ts";
import { defineTable, integer, nullable, text } from "./table.ts";

/** One row, with the id 1: what the project says of itself. */
export const projectTable = defineTable("project", {
  columns: {
    id: integer,
    title: nullable(text),
    description: text,
    /** When its first feature was made, which is what `init` does first. */
    created: text,
  },
  key: ["id"],
});

/** Notes on how the work goes on, which progress.txt shows. */
export const progressNotes = defineTable("progress_notes", {
  columns: { id: integer, text: text, actor: text, session_id: nullable(text), created: text },
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
