import { z } from "zod";
import { someOf } from "../../lib/some-of.ts";
import { defineEvent } from "../event.ts";
import { recordedResult, resultFromElsewhere } from "./command-result.ts";
import {
  branch,
  commit,
  filePath,
  filePaths,
  gateNumber,
  hostId,
  lineOf,
  name,
  position,
  taskId,
  taskStream,
  text,
} from "./fields.ts";
import { howItEnded } from "./gate-runs.ts";
import { GATE_COMMAND_LIMIT } from "./gates.ts";

const ofTask = { task: taskId };
/** The two sides of a merge. */
const work = {
  ...ofTask,
  branch,
  /** The last commit of the branch. */
  commit,
  /** The branch that it is merged into. */
  base: branch,
};
/** The run that this belongs to: the position of its `merge.begun`. */
const ofRun = { ...ofTask, begun: position };
const exampleWork = {
  task: 7,
  branch: "signalbox/task-7",
  commit: "3f2a0c6f5d0b7c5e9a1d4b8e7f60213c4d5e6f70",
  base: "main",
};
const command = text.max(GATE_COMMAND_LIMIT);

const mergeProposed = defineEvent({
  type: "merge.proposed",
  version: 1,
  description: "A done task's branch can be merged, and waits for a human's decision (`integrate: ask`).",
  payload: z.strictObject(work),
  stream: taskStream,
  timeline: ({ branch: from, base }) => `${from} can be merged into ${base}`,
  example: exampleWork,
});

export const mergeQueued = defineEvent({
  type: "merge.queued",
  version: 1,
  description: "A done task's branch joined the end of the merge queue.",
  payload: z.strictObject(work),
  stream: taskStream,
  timeline: ({ branch: from, base }) => `${from} is queued for merging into ${base}`,
  example: exampleWork,
});

const mergeBegun = defineEvent({
  type: "merge.begun",
  version: 2,
  description: "A driver is merging a task's branch. Only one driver merges, one branch at a time.",
  payload: z.strictObject({
    ...work,
    driver: name,
    /** Where it merges; absent in what older programs wrote. */
    host: hostId.optional(),
  }),
  stream: taskStream,
  timeline: ({ driver, branch: from, base }) => `Driver ${driver} is merging ${from} into ${base}`,
  example: { ...exampleWork, driver: "d-1", host: "5b1c8a52-90d4-8e0f-a6a3-0c6f2f7d9a11" },
  upcasters: {
    /** Version 1 did not say on which host. */
    1: (payload) => payload,
  },
});

const mergeGateAttempted = defineEvent({
  type: "merge.gate_attempted",
  version: 1,
  description: "A gate ran on the merged result. This counts as no attempt and does not change the gate.",
  payload: z.strictObject({ ...ofRun, gate: gateNumber, command, commit, ...recordedResult.shape }),
  stream: taskStream,
  timeline: ({ gate, ...result }) => `Gate ${gate} on the merged result: ${howItEnded(result)}`,
  example: {
    task: 7,
    begun: 50,
    gate: 1,
    command: "npm test",
    commit: exampleWork.commit,
    ...resultFromElsewhere({ exit_code: 0, duration_ms: 2_100, stdout: "12 passing\n" }),
  },
});

const mergeConflicted = defineEvent({
  type: "merge.conflicted",
  version: 1,
  description: "A task's branch and its base change the same lines: someone must resolve the conflicts.",
  payload: z.strictObject({
    ...ofRun,
    /** The base's last commit. */
    onto: commit,
    files: filePaths,
    /** How many more conflicting files there are than `files` has room for. */
    more: z.int().min(0),
    /** The commands with which a human sees and resolves it. */
    commands: z.array(lineOf(5_000)).max(10),
  }),
  stream: taskStream,
  timeline: ({ files, more }) => `The merge conflicts in ${someOf(files, { most: 5, more })}`,
  example: {
    task: 7,
    begun: 50,
    onto: exampleWork.commit,
    files: ["src/export.ts"],
    more: 0,
    commands: ["cd '/work/shop/.ralph/worktrees/task-7'", "git merge main"],
  },
});

const mergeGateFailed = defineEvent({
  type: "merge.gate_failed",
  version: 1,
  description: "A gate failed on the merged result, so it was not merged.",
  payload: z.strictObject({
    ...ofRun,
    gate: gateNumber,
    command,
    onto: commit,
    /** The commands with which a human sees and fixes it. */
    commands: z.array(lineOf(5_000)).max(10),
  }),
  stream: taskStream,
  timeline: ({ gate, command: line }) => `Gate ${gate} fails on the merged result: ${line}`,
  example: {
    task: 7,
    begun: 50,
    gate: 1,
    command: "npm test",
    onto: exampleWork.commit,
    commands: ["cd '/work/shop/.ralph/worktrees/task-7'", "git merge main"],
  },
});

const mergeWaits = defineEvent({
  type: "merge.waits",
  version: 1,
  description:
    "The base was not changed: it is checked out with uncommitted changes, or git refused. The " +
    "merge is tried again when the cause is gone.",
  payload: z.strictObject({ ...ofRun, folder: filePath.optional(), reason: text.max(5_000) }),
  stream: taskStream,
  timeline: ({ folder, reason }) =>
    `The merge is waiting: ${folder === undefined ? reason : `${folder}: ${reason}`}`,
  example: {
    task: 7,
    begun: 50,
    folder: "/work/shop",
    reason: "it has uncommitted changes: README.md",
  },
});

const mergeReady = defineEvent({
  type: "merge.ready",
  version: 1,
  description: "The merged result exists and its gates pass: the base is about to be moved to it.",
  payload: z.strictObject({ ...ofRun, onto: commit, to: commit }),
  stream: taskStream,
  timeline: ({ to }) => `The merged result is ${to.slice(0, 12)}`,
  example: {
    task: 7,
    begun: 50,
    onto: exampleWork.commit,
    to: "9a1d4b8e7f60213c4d5e6f703f2a0c6f5d0b7c5e",
  },
});

const mergeLanded = defineEvent({
  type: "merge.landed",
  version: 1,
  description: "The base contains a task's work.",
  payload: z.strictObject({
    ...ofRun,
    base: branch,
    /** The branch's last commit before the rebase. */
    commit,
    /** The base before and after; equal if it had the work already. */
    from: commit,
    to: commit,
  }),
  stream: taskStream,
  timeline: ({ base, from, to }) =>
    from === to
      ? `${base} already has it`
      : `Merged into ${base}: ${from.slice(0, 12)} to ${to.slice(0, 12)}`,
  example: {
    task: 7,
    begun: 50,
    base: "main",
    commit: exampleWork.commit,
    from: exampleWork.commit,
    to: "9a1d4b8e7f60213c4d5e6f703f2a0c6f5d0b7c5e",
  },
});

export const mergeWithdrawn = defineEvent({
  type: "merge.withdrawn",
  version: 1,
  description: "A merge was withdrawn, or there was nothing to merge.",
  payload: z.strictObject({ ...ofTask, reason: text.max(5_000) }),
  stream: taskStream,
  timeline: ({ reason }) => `Merge withdrawn: ${reason}`,
  example: { task: 7, reason: "a human withdrew it" },
});

export const mergeReopened = defineEvent({
  type: "merge.reopened",
  version: 1,
  description:
    "A done task is pending again, so that an agent resolves its merge with the base; the merge is " +
    "withdrawn.",
  payload: z.strictObject(ofTask),
  stream: taskStream,
  timeline: () => "The task is reopened for its merge",
  example: { task: 7 },
});

/** Every event of this family, in the order of docs/events.md. */
export const mergeEvents = [
  mergeProposed,
  mergeQueued,
  mergeBegun,
  mergeGateAttempted,
  mergeConflicted,
  mergeGateFailed,
  mergeWaits,
  mergeReady,
  mergeLanded,
  mergeWithdrawn,
  mergeReopened,
] as const;
