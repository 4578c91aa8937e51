import { z } from "zod";
import { defineEvent } from "../event.ts";
import { commit, filePath, line, lineOf, sessionId, sessionStream, taskId } from "./fields.ts";
import { structural } from "./structure.ts";
import { workInWords } from "./work-words.ts";

/** What a driver finds in a session's workspace. */
export const findingKinds = [
  "no_change",
  "left_behind",
  "gone",
  "undoes",
  "checks_changed",
  "outside",
] as const;
export type FindingKind = (typeof findingKinds)[number];

/** The most that one event names. */
export const WORK_FILES_LIMIT = 500;
export const FINDINGS_LIMIT = 50;
export const FINDING_PATHS_LIMIT = 100;

const finding = z.strictObject({
  kind: structural(z.enum(findingKinds)),
  /** The files that it is about, relative to the top of the repository. */
  paths: z.array(filePath).max(FINDING_PATHS_LIMIT),
  /** How many more there are than `paths` has room for. */
  more: z.int().min(0),
  /** Stashes, branches and commits. */
  refs: z.array(line).max(FINDING_PATHS_LIMIT),
  /** One sentence: what was found, and what mends it. */
  says: lineOf(2_000),
});

export const sessionWork = defineEvent({
  type: "session.work",
  version: 3,
  description:
    "What a session did to its repository, found by its driver when it ended: recorded just before the end. Absent without git.",
  payload: z.strictObject({
    session: sessionId,
    /** Absent for a session without one. */
    task: taskId.optional(),
    /** The last commit when it began, and when it ended; without `head` the workspace is gone. */
    start: commit,
    head: commit.optional(),
    /** The base's last commit at the end; absent without a worktree of the task's own. */
    base: commit.optional(),
    /** What the task's branch and its base had in common when the work that is not merged yet began. */
    fork: commit.optional(),
    /** The trees of all files, those that are not committed too. */
    tree_before: commit,
    tree_after: commit.optional(),
    /** How many commits it added; those that came from the base do not count. */
    commits: z.int().min(0),
    /** The first files that differ, sorted by path. */
    files: z
      .array(
        z.strictObject({
          path: filePath,
          kind: structural(z.enum(["added", "deleted", "changed", "renamed"])),
          /** The former path of a renamed file. */
          from: filePath.optional(),
          /** Lines; absent for a binary or very large file. */
          added: z.int().min(0).optional(),
          removed: z.int().min(0).optional(),
        }),
      )
      .max(WORK_FILES_LIMIT),
    /** How many more files there are than `files` has room for. */
    more: z.int().min(0),
    /** The first files of the task's work that are outside the `output_artifacts` it had at the session's start: those of earlier sessions too, as long as they are not merged. */
    outside: z.array(filePath).max(WORK_FILES_LIMIT).optional(),
    /** Lines of all files. */
    added: z.int().min(0),
    removed: z.int().min(0),
    findings: z.array(finding).max(FINDINGS_LIMIT),
  }),
  stream: sessionStream,
  timeline: ({ files, more, outside = [], ...work }) =>
    workInWords({ ...work, files: files.length + more, outside }),
  example: {
    session: "s-1",
    task: 7,
    start: "3f2a0c6f5d0b7c5e9a1d4b8e7f60213c4d5e6f70",
    head: "8c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f60718293",
    base: "3f2a0c6f5d0b7c5e9a1d4b8e7f60213c4d5e6f70",
    fork: "3f2a0c6f5d0b7c5e9a1d4b8e7f60213c4d5e6f70",
    tree_before: "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
    tree_after: "9f8e7d6c5b4a39281706f5e4d3c2b1a098765432",
    commits: 1,
    files: [{ path: "src/export.ts", kind: "changed", added: 40, removed: 2 }],
    more: 0,
    added: 40,
    removed: 2,
    findings: [
      {
        kind: "left_behind",
        paths: ["test/export.test.ts"],
        more: 0,
        refs: ["9f8e7d6c5b4a"],
        says: "test/export.test.ts is in a stash: run `git stash apply 9f8e7d6c5b4a` and commit.",
      },
    ],
  },
  upcasters: {
    /** Version 1 had neither `checks_changed` nor `outside`, version 2 always a task, and not which files are outside. */
    1: (payload) => payload,
    2: (payload) => payload,
  },
});
