import { z } from "zod";
import { defineEvent } from "../event.ts";
import { filePaths, sessionId, taskId } from "./fields.ts";

export const workspaceReported = defineEvent({
  type: "workspace.reported",
  version: 1,
  description:
    "The files that differ, in a session's workspace, from what it began with; the last report counts.",
  payload: z.strictObject({
    session: sessionId,
    task: taskId,
    /** Relative to the workspace, in the order of their names. */
    files: filePaths,
    /** How many more there are than `files` has room for. */
    more: z.int().min(0),
  }),
  stream: ({ session }) => `session-${session}`,
  timeline: ({ files, more }) => `${files.length + more} files changed: ${files.slice(0, 5).join(", ")}`,
  example: { session: "s-1", task: 7, files: ["src/export.ts", "test/export.test.ts"], more: 0 },
});
