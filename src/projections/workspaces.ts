import { defineProjection } from "./projection.ts";
import { defineTable, flag, integer, json, means, text } from "./table.ts";

export const sessionFiles = defineTable("session_files", {
  description: "The files in a session's workspace that have changed since it started, from its last report.",
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

export const sessionConflicts = defineTable("session_conflicts", {
  description: "Sessions that started with a merge in their worktree that had stopped at conflicts.",
  columns: {
    session_id: text,
    task_id: integer,
    branch: means(text, "the branch that was merged into the task's"),
    files: means(json, "array of the paths that conflict"),
    more: means(integer, "how many more there were"),
    position: integer,
  },
  key: ["session_id"],
  indexes: { by_task: ["task_id", "position"] },
});

/**
 * The files that each session changes, and the conflicts that it started with; the view
 * `file_overlaps` shows files that two running sessions change.
 */
export const workspaces = defineProjection({
  name: "workspaces",
  version: 2,
  tables: { files: sessionFiles, conflicts: sessionConflicts },
  on: {
    "workspace.conflicted": ({ payload: { session, task, branch, files, more }, position }, rows) => {
      rows.conflicts.delete(session);
      const conflict = { task_id: task, branch, files: JSON.stringify(files), more, position };
      rows.conflicts.insert({ session_id: session, ...conflict });
    },
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
