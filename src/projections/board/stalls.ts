import type { ClosingVerb } from "../../events/types/signals.ts";
import { wouldContest } from "./blockers.ts";
import { ledTo } from "./evidence.ts";
import { policyCauses, policyValue } from "./policies.ts";
import type { Blocker, Board, Question, Session, SessionFinding, Task } from "./tables.ts";

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

/** A session's end, as far as the rows depend on it. */
export interface EndOfRow {
  readonly position: number;
  readonly closing: ClosingVerb | null;
  readonly outcome: Session["outcome"];
  /** Whether its workspace differs from its start; undefined if it has no fingerprints of it. */
  readonly hasChanged: boolean | undefined;
  readonly learned_nothing_new?: boolean | undefined;
  readonly findings: readonly SessionFinding[];
}

/** The rows after a session that settles as partial or stuck. */
export function rowsAfter(board: Board, task: Task, session: Judged, end: EndOfRow): Partial<Task> {
  const { position, closing, outcome, findings } = end;
  if (outcome === "cancelled" || ledTo("refuse", findings).length > 0) return {};
  const hasGotOn = gotOn(board, session, end);
  const rows = {
    no_progress_in_a_row:
      hasGotOn === undefined ? task.no_progress_in_a_row : hasGotOn ? 0 : task.no_progress_in_a_row + 1,
    partial_closings_in_a_row: closing === "partial" ? task.partial_closings_in_a_row + 1 : 0,
  };
  const stalled_by = policyReached(board, rows);
  const stalled_at = stalled_by === null ? 0 : task.stalled_at || position;
  return { ...rows, stalled_by, stalled_at };
}

type Judged = Pick<Session, "id" | "learned">;

/** Undefined if nobody knows. */
function gotOn(
  board: Board,
  session: Judged,
  { closing, learned_nothing_new, hasChanged }: EndOfRow,
): boolean | undefined {
  const learned = session.learned === 1 && learned_nothing_new !== true;
  return closing === "done" || learned || opened(board, session) || hasChanged;
}

/** Also what was answered before its end: it would be open without that act. */
function opened(board: Board, session: Judged): boolean {
  return raised(board, session, (item) =>
    [item.state, item.state_without_act].some((state) => opens(board, item, state)),
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
  return [stalled_at, ...policyCauses(board, stalled_by)];
}

/** True if a question or a blocker of this session blocks its task, or will once the session has ended. */
export function leavesSomethingOpen(board: Items, session: Pick<Session, "id">): boolean {
  return raised(board, session, (item) => opens(board, item, item.state));
}

type Items = Pick<Board, "questions" | "blockers" | "tasks">;

/** Whether it is open in this state, or becomes so at its session's end (7, 10). */
function opens(
  board: Items,
  item: Question | Blocker,
  state: Question["state"] | Blocker["state"] | null,
): boolean {
  if (state !== "raised") return state === "open";
  return "blocking" in item ? item.blocking === 1 : item.state !== "raised" || !wouldContest(board, item);
}

function raised(
  { questions, blockers }: Items,
  { id }: Pick<Session, "id">,
  which: (item: Question | Blocker) => boolean,
): boolean {
  return [questions, blockers].some((table) => table.where({ session_id: id }, which).length > 0);
}
