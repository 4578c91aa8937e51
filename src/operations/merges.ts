import { z } from "zod";
import type { Decision } from "../decisions/decide.ts";
import { Refusal } from "../decisions/refusal.ts";
import { checkMergeable, openMerge, requireDone } from "../decisions/rules/merges.ts";
import { mergeQueued, mergeReopened, mergeWithdrawn } from "../events/types/merges.ts";
import { ordinalSuffix } from "../lib/readable.ts";
import { pc, quoteLine } from "../lib/terminal/output.ts";
import { type MergeView, listMerges as mergesIn } from "../queries/merges.ts";
import { findTask } from "../queries/tasks.ts";
import { byHumans } from "./by-humans.ts";
import { type AnyDone, defineOperation } from "./operation.ts";
import { defineReading } from "./reading.ts";

/** The reason recorded for a merge that a human withdraws. */
export const BY_HAND = "a human withdrew it";

const TASK = ["<task>", "the task's id"] as const;

const permit = byHumans("An agent cannot merge into the base branch: only a human or a driver does that.");

/** The merges of tasks, the queue first. */
export const listMerges = defineReading({
  input: z.strictObject({}),
  ask: (readModel) => mergesIn(readModel),
  command: {
    name: "list",
    isDefault: true,
    does: "list the merges of tasks, the queue first",
    takes: {},
    example: "",
    says: (merges) =>
      merges.length === 0
        ? "No merges yet. With worktrees, `signalbox merge queue TASK` queues a done task."
        : merges.map(lineOf),
  },
});

/**
 * @throws Refusal `not_found`; `not_possible`: the task is not done, its gates have not passed, or
 * the caller is an agent; `nothing_to_do`: it is queued already
 */
export const queueMerge = defineOperation({
  type: "merge.queued",
  input: mergeQueued.payload,
  permit,
  plan(work, state) {
    checkMergeable(state, work.task);
    const row = state.merges.get(work.task);
    if (row?.state === "queued" || row?.state === "running")
      throw new Refusal("nothing_to_do", `Task ${work.task} is already in the queue (${row.state}).`);
    return [{ type: "merge.queued", payload: work }];
  },
  answer: mergeActed,
});

/**
 * Queues a merge from the inbox, whose branch and base are known. @throws Refusal as `queueMerge`;
 * `not_found`
 */
export function queueAgain({ task }: { readonly task: number }): Decision<"merge.queued"> {
  return {
    type: "merge.queued",
    input: { task },
    permit: (state, actor) => permit({ task }, state, actor),
    plan(state) {
      const { branch, commit_id: commit, base } = openMerge(state, task);
      return queueMerge({ task, branch, commit, base }).plan(state);
    },
  };
}

/**
 * Reopens a done task whose merge conflicts or fails its gates, so that an agent merges the work.
 *
 * @throws Refusal `not_found`; `not_possible`: its merge has another state, the task is not done,
 * or the caller is an agent; `session_open`
 */
export const reopenForMerge = defineOperation({
  type: "merge.reopened",
  input: mergeReopened.payload,
  permit,
  plan({ task }, state) {
    const { state: now } = openMerge(state, task);
    if (now !== "conflicted" && now !== "gate_failed")
      throw new Refusal(
        "not_possible",
        `The merge of task ${task} is ${now}, so there is nothing for an agent to resolve. Queue it: ` +
          `\`signalbox merge queue ${task}\`.`,
      );
    requireDone(state, task);
    return [{ type: "merge.reopened", payload: { task } }];
  },
  answer: mergeActed,
  command: {
    name: "reopen",
    does: "reopen a task whose merge conflicts or fails a gate, so that an agent fixes it",
    takes: { task: TASK },
    example: "7",
    says: mergeSaid,
  },
});

/**
 * @throws Refusal `not_found`: none is open; `not_possible`: it is running, or the caller is an
 * agent
 */
export const withdrawMerge = defineOperation({
  type: "merge.withdrawn",
  input: mergeWithdrawn.payload,
  permit,
  plan(input, state) {
    const { state: now, driver } = openMerge(state, input.task);
    if (now === "running")
      throw new Refusal(
        "not_possible",
        `Driver ${driver} is merging task ${input.task}; try again when it has finished.`,
      );
    return [{ type: "merge.withdrawn", payload: input }];
  },
  answer: mergeActed,
  command: {
    name: "withdraw",
    does: "cancel the merge of a task's branch; the branch stays",
    takes: { task: TASK },
    sets: { reason: BY_HAND },
    example: "7",
    says: mergeSaid,
  },
});

type MergeActed = ReturnType<typeof mergeActed>;

/** The answer of an act on a task's merge. */
export function mergeActed({
  input: { task },
  event,
  readModel,
}: Omit<AnyDone<{ readonly task: number }>, "events">) {
  return { task, act: event.type, position: event.position, status: findTask(readModel, task)?.status };
}

/** That answer in a command's words. */
export function mergeSaid({ task, act, position, status }: MergeActed): string {
  return `${act} at position ${position}; task ${task} is ${status}.`;
}

function lineOf(merge: MergeView): string {
  const { task_id: task, task_title, state, branch, base, place } = merge;
  const head = `${pc.bold(`#${task}`)} ${quoteLine(task_title, 60)} · ${state.replace("_", " ")}`;
  const where =
    place === null ? "" : ` · ${place === 1 ? "next" : `${place}${ordinalSuffix(place)} in line`}`;
  return `${head}${where} ${pc.dim(`· ${branch} → ${base}`)}${whyIn(merge)}`;
}

function whyIn({ state, folder, reason, files, gate, command, onto, result }: MergeView): string {
  switch (state) {
    case "conflicted":
      return `\n     conflicts in ${quoteLine(files.join(", "), 300)}`;
    case "gate_failed":
      return `\n     gate ${gate} fails on the merged result: ${quoteLine(command ?? "", 200)}`;
    case "waiting":
      return `\n     ${quoteLine(`${folder === null ? "" : `${folder}: `}${reason ?? ""}`, 300)}`;
    case "withdrawn":
      return `\n     ${quoteLine(reason ?? "", 300)}`;
    case "landed":
      return pc.dim(` · ${onto?.slice(0, 12)} → ${result?.slice(0, 12)}`);
    default:
      return "";
  }
}
