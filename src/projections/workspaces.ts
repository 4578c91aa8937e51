import { defineProjection } from "./projection.ts";
import { defineTable, flag, integer, means, text } from "./table.ts";

export const sessionFiles = defineTable("session_files", {
  description:
    "The files that differ, in a session's workspace, from what it began with, as the last report of it has them.",
  columns: {
    session_id: text,
    path: means(text, "relative to the workspace"),
    task_id: integer,
    position: means(integer, "of the report"),
    open: means(flag, "1 until the session ends"),
  },
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
