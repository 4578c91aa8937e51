import { defineProjection } from "./projection.ts";
import { defineTable, flag, integer, text } from "./table.ts";

/** The files that a session has changed, as its last report has them. */
export const sessionFiles = defineTable("session_files", {
  columns: { session_id: text, path: text, task_id: integer, position: integer, open: flag },
  key: ["session_id", "path"],
  indexes: { by_open: ["open", "path"], by_task: ["task_id", "position"] },
});

/** Which files each session changes; two that run and change the same one are in the view `file_overlaps`. */
export const workspaces = defineProjection({
  name: "workspaces",
  version: 1,
  tables: { files: sessionFiles },
  on: {
    "workspace.reported": ({ payload: { session, task, files }, position }, rows) => {
      const reported = new Set(files);
      for (const { path } of rows.files.where({ session_id: session }, (row) => !reported.has(row.path))) {
        rows.files.delete(session, path);
      }
      for (const path of reported) {
        if (rows.files.get(session, path)) rows.files.update([session, path], { position });
        else rows.files.insert({ session_id: session, path, task_id: task, position, open: 1 });
      }
    },
    "session.ended": ({ payload: { session } }, rows) => {
      for (const { path } of rows.files.where({ session_id: session })) {
        rows.files.update([session, path], { open: 0 });
      }
    },
  },
});
