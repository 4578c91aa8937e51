import { z } from "zod";
import { defineEvent } from "../event.ts";
import { recordedResult, resultFromElsewhere } from "./command-result.ts";
import {
  branch,
  commit,
  filePath,
  filePaths,
  line,
  lineOf,
  sessionId,
  taskId,
  taskStream,
  text,
} from "./fields.ts";
import { howItEnded } from "./gate-runs.ts";
import { GATE_COMMAND_LIMIT } from "./gates.ts";

const workspaceReported = defineEvent({
  type: "workspace.reported",
  version: 1,
  description:
    "The files in a session's workspace that have changed since it started; the last report counts.",
  payload: z.strictObject({
    session: sessionId,
    task: taskId,
    /** Relative to the workspace, sorted by name. */
    files: filePaths,
    /** How many more files there are than `files` has room for. */
    more: z.int().min(0),
  }),
  stream: ({ session }) => `session-${session}`,
  timeline: ({ files, more }) => `${files.length + more} files changed: ${files.slice(0, 5).join(", ")}`,
  example: { session: "s-1", task: 7, files: ["src/export.ts", "test/export.test.ts"], more: 0 },
});

const workspaceCommitted = defineEvent({
  type: "workspace.committed",
  version: 1,
  description:
    "Uncommitted work in a task's worktree was committed to its branch, or not: then `problem` or " +
    "`left_out` says why.",
  payload: z.strictObject({
    task: taskId,
    /** The session that ended; absent: before a merge. */
    session: sessionId.optional(),
    branch,
    /** Absent if nothing was committed. */
    commit: commit.optional(),
    /** The number of files. */
    files: z.int().min(0),
    /** The first files that were not committed, each with the reason. */
    left_out: z.array(z.strictObject({ path: filePath, reason: line })).max(100),
    /** Why nothing could be committed. */
    problem: lineOf(2_000).optional(),
  }),
  stream: taskStream,
  timeline: ({ branch: name, commit: id, files, left_out, problem }) => {
    const done = id === undefined ? "Nothing was committed" : `${countFiles(files)} committed to ${name}`;
    const out = left_out.length > 0 ? `; left out: ${left_out.map(({ path }) => path).join(", ")}` : "";
    return `${done}${problem === undefined ? "" : `: ${problem}`}${out}`;
  },
  example: {
    task: 7,
    session: "s-1",
    branch: "signalbox/task-7",
    commit: "3f2a0c6f5d0b7c5e9a1d4b8e7f60213c4d5e6f70",
    files: 2,
    left_out: [{ path: ".env", reason: "its name looks like a secret" }],
  },
});

const workspaceConflicted = defineEvent({
  type: "workspace.conflicted",
  version: 1,
  description:
    "A session starts with a merge in its worktree that stopped at conflicts: the files contain " +
    "markers, and its agent resolves them.",
  payload: z.strictObject({
    task: taskId,
    session: sessionId,
    /** The branch that was merged into the task's branch. */
    branch,
    files: filePaths,
    /** How many more files there are than `files` has room for. */
    more: z.int().min(0),
  }),
  stream: taskStream,
  timeline: ({ branch: name, files, more }) =>
    `Merging ${name} stopped at conflicts in ${countFiles(files.length + more)}: ${files.slice(0, 5).join(", ")}`,
  example: { task: 7, session: "s-2", branch: "main", files: ["src/export.ts"], more: 0 },
});

const workspacePrepared = defineEvent({
  type: "workspace.prepared",
  version: 1,
  description:
    "The setup of worktrees ran in a new one, before an agent works there or a merge is tried. It counts as no attempt.",
  payload: z.strictObject({
    /** The task whose worktree it is, or whose merge is tried. */
    task: taskId,
    /** As `worktrees.setup` has it. */
    command: text.max(GATE_COMMAND_LIMIT),
    ...recordedResult.shape,
  }),
  stream: taskStream,
  timeline: (result) => `The setup of its worktree ${howItEnded(result)}`,
  example: {
    task: 7,
    command: "npm ci",
    ...resultFromElsewhere({ exit_code: 0, duration_ms: 41_000, stdout: "added 212 packages\n" }),
  },
});

function countFiles(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}

/** Every event of this family, in the order of docs/events.md. */
export const workspaceEvents = [
  workspaceReported,
  workspaceCommitted,
  workspaceConflicted,
  workspacePrepared,
] as const;
