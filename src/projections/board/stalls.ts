import type { Event } from "../../events/types/index.ts";
import type { PolicyName } from "../../events/types/policies.ts";
import type { ClosingVerb } from "../../events/types/signals.ts";
import { policyValue } from "./policies.ts";
import type { Blocker, Board, Question, Session, Task } from "./tables.ts";

/*
 * Whether a task gets on (docs/rules.md, No progress): two rows of sessions for each task. When one reaches its policy, the task
 * waits for a human, by settlement 7b.
 */

/** What does not wait for a human by its rows. */
export const NOT_STALLED = { stalled_at: 0, stalled_by: null } as const satisfies Partial<Task>;

/** No row, and nothing to wait for. */
export const FRESH_ROWS = {
  no_progress_in_a_row: 0,
  partial_closings_in_a_row: 0,
  ...NOT_STALLED,
} as const satisfies Partial<Task>;

/** Whether a human is asked about its rows: a row that reached its policy makes no failed task wait. */
export function isStalled({ status, stalled_at }: Pick<Task, "status" | "stalled_at">): boolean {
  return status === "needs_input" && stalled_at > 0;
}

/** Call at the end of a session that settles as partial or stuck, after what it raised was opened. */
export function keepRows(
  board: Board,
  { position, payload }: Event<"session.ended">,
  session: Session,
  { closing, outcome }: { readonly closing: ClosingVerb | null; readonly outcome: Session["outcome"] },
): void {
  const task = board.tasks.get(session.task_id);
  if (!task || outcome === "cancelled") return;
  const hasGotOn = gotOn(board, session, closing, payload);
  const rows = {
    no_progress_in_a_row:
      hasGotOn === undefined ? task.no_progress_in_a_row : hasGotOn ? 0 : task.no_progress_in_a_row + 1,
    partial_closings_in_a_row: closing === "partial" ? task.partial_closings_in_a_row + 1 : 0,
  };
  const stalled_by = policyReached(board, rows);
  const stalled_at = stalled_by === null ? 0 : task.stalled_at || position;
  board.tasks.update(task.id, { ...rows, stalled_by, stalled_at });
}

/** Undefined if nobody knows: it has no fingerprints of its workspace. */
function gotOn(
  board: Board,
  session: Session,
  closing: ClosingVerb | null,
  { workspace, learned_nothing_new }: Event<"session.ended">["payload"],
): boolean | undefined {
  const learned = session.learned === 1 && learned_nothing_new !== true;
  if (closing === "done" || learned || opened(board, session)) return true;
  if (session.workspace_start === null || workspace === undefined) return undefined;
  return session.workspace_start !== workspace;
}

/** Also what was answered before its end: it would be open without that act. */
function opened(board: Board, session: Session): boolean {
  return raised(board, session, ({ state, state_without_act }) =>
    [state, state_without_act].includes("open"),
  );
}

function policyReached(
  board: Board,
  rows: Pick<Task, "no_progress_in_a_row" | "partial_closings_in_a_row">,
): Task["stalled_by"] {
  const reaches = (name: "no_progress" | "partials", row: number) => row >= policyValue(board, name);
  if (reaches("no_progress", rows.no_progress_in_a_row)) return "no_progress";
  return reaches("partials", rows.partial_closings_in_a_row) ? "partials" : null;
}

/** What a task waits for a human by: the session's end, and the policy, if it was set. Empty if it does not. */
export function stallCauses(board: Board, { stalled_at, stalled_by }: Task): number[] {
  if (stalled_by === null) return [];
  const policy = board.policies.get(stalled_by satisfies PolicyName);
  return [stalled_at, ...(policy ? [policy.position] : [])];
}

/** True if a question or a blocker of this session now blocks its task. */
export function leftSomethingOpen(board: Items, session: Session): boolean {
  return raised(board, session, ({ state }) => state === "open");
}

type Items = Pick<Board, "questions" | "blockers">;

function raised(
  { questions, blockers }: Items,
  { id }: Session,
  which: (item: Question | Blocker) => boolean,
): boolean {
  return [questions, blockers].some((table) => table.where({ session_id: id }, which).length > 0);
}
