import type { PayloadOf } from "../../events/types/index.ts";
import type { MergeRow } from "../../projections/board/merge-tables.ts";
import { gatesInTheWay } from "../../projections/board/settlement.ts";
import type { Decision, PlannedEvent } from "../decide.ts";
import { Refusal } from "../refusal.ts";
import { requireTask, type State } from "../state.ts";
import { checkNoSession } from "./tasks.ts";

/*
 * The merge queue (docs/rules.md, Merges). Drivers coordinate through the log: only one can begin a
 * merge, and each step requires that the merge is still its own.
 */

type Work = PayloadOf<"merge.queued">;

/**
 * Puts a done task's branch into the inbox. @throws Refusal as `checkMergeable`; `nothing_to_do`:
 * it is open already
 */
export function proposeMerge(work: Work): Decision<"merge.proposed"> {
  return {
    type: "merge.proposed",
    input: work,
    plan(state) {
      checkMergeable(state, work.task);
      if (isOpen(state.merges.get(work.task)))
        throw new Refusal("nothing_to_do", `The merge of task ${work.task} is already open.`);
      return [{ type: "merge.proposed", payload: work }];
    },
  };
}

/**
 * A driver takes the next merge. @param insteadOf the run of a dead driver, by the position of its
 * `merge.begun`
 *
 * @throws Refusal `already_decided`: another driver was faster; `not_possible`: the task is no
 * longer done
 */
export function beginMerge({
  insteadOf,
  ...payload
}: PayloadOf<"merge.begun"> & { readonly insteadOf: number | undefined }): Decision<"merge.begun"> {
  return {
    type: "merge.begun",
    input: payload,
    plan(state) {
      checkMergeable(state, payload.task);
      const row = state.merges.get(payload.task);
      const isFree =
        row?.state === "queued" ||
        row?.state === "waiting" ||
        (row?.state === "running" && row.begun === insteadOf);
      const other = state.merges.where({ state: "running" }).find(({ begun }) => begun !== insteadOf);
      if (!isFree || other)
        throw new Refusal("already_decided", `The merge of task ${payload.task} cannot begin now.`);
      return [{ type: "merge.begun", payload }];
    },
  };
}

type OfRun = Extract<
  PlannedEvent,
  {
    type:
      | "merge.gate_attempted"
      | "merge.conflicted"
      | "merge.gate_failed"
      | "merge.waits"
      | "merge.ready"
      | "merge.landed";
  }
>;

/**
 * A step of a running merge. @throws Refusal `already_decided`: another driver has it, or it was
 * withdrawn
 */
export function recordMergeStep(event: OfRun): Decision<OfRun["type"]> {
  return {
    type: event.type,
    input: event.payload,
    plan(state) {
      const { task, begun } = event.payload;
      const row = state.merges.get(task);
      if (row?.state !== "running" || row.begun !== begun)
        throw new Refusal("already_decided", `The merge of task ${task} is now ${row?.state ?? "gone"}.`);
      return [event];
    },
  };
}

/** Whether a merge is unfinished. */
function isOpen(row: Pick<MergeRow, "state"> | undefined): boolean {
  return row !== undefined && row.state !== "landed" && row.state !== "withdrawn";
}

/** @throws Refusal `not_found`: the task's merge is finished, or it has none */
export function openMerge(state: State, task: number): MergeRow {
  requireTask(state, task);
  const row = state.merges.get(task);
  if (row && isOpen(row)) return row;
  throw new Refusal(
    "not_found",
    row
      ? `The merge of task ${task} has ended: it is ${row.state}. Run \`signalbox merge list\` to see all ` +
          "merges."
      : `Task ${task} has no merge. To queue its branch, run \`signalbox merge queue ${task}\`.`,
  );
}

/** @throws Refusal `not_found`; `not_possible`: the task is not done, or its gates have not passed */
export function checkMergeable(state: State, task: number): void {
  requireDone(state, task);
  const [gate] = gatesInTheWay(state, task);
  if (gate)
    throw new Refusal(
      "not_possible",
      `Gate ${gate.gate} of task ${task} is ${gate.state}; only work whose gates have passed can be ` +
        `merged. Run it with \`signalbox gate run ${task}\`.`,
    );
}

/** @throws Refusal `not_found`; `not_possible`: it is not done; `session_open` */
export function requireDone(state: State, task: number): void {
  const { status } = requireTask(state, task);
  if (status !== "done")
    throw new Refusal(
      "not_possible",
      `Task ${task} is ${status}; only the work of a done task can be merged.`,
    );
  checkNoSession(state, task);
}
