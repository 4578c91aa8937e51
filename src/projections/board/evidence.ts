import type { Consequence } from "../../events/types/policies.ts";
import type { FindingKind } from "../../events/types/session-work.ts";
import { policyCauses, policyValue } from "./policies.ts";
import type { Board, Session, SessionFinding, Task, TaskSession } from "./tables.ts";

/*
 * What follows from what a driver found, on a session that closed with done (docs/rules.md, Evidence).
 */

const POLICIES = {
  left_behind: "evidence.left_behind",
  gone: "evidence.gone",
  undoes: "evidence.undoes",
  no_change: "evidence.no_change",
  checks_changed: "evidence.checks_changed",
  outside: "evidence.outside",
} as const satisfies Readonly<Record<FindingKind, string>>;

/** What the judgment looks at. */
type Judging = Pick<Board, "policies" | "gates" | "sessions" | "sessionFindings">;
type OfTask = Pick<TaskSession, "id" | "task_id">;

/** What was found in a session that closed with done, and what follows from it by the policies of now. */
export function judgeFindings(board: Board, session: OfTask): SessionFinding[] {
  return board.sessionFindings
    .where({ session_id: session.id })
    .map((finding) => ({ ...finding, led_to: consequenceOf(board, session, finding.kind) }));
}

/** Those from which this followed. */
export function ledTo(consequence: Consequence, findings: readonly SessionFinding[]): SessionFinding[] {
  return findings.filter(({ led_to }) => led_to === consequence);
}

/** What was found in the last session of a task, as it was judged at its end. */
export function findingsOfLast(
  board: Pick<Board, "sessions" | "sessionFindings">,
  { id, last_start }: Pick<Task, "id" | "last_start">,
): SessionFinding[] {
  const [last] = board.sessions.where({ task_id: id, started_position: last_start });
  return last ? board.sessionFindings.where({ session_id: last.id }) : [];
}

/** The events of these findings, and of the policies by which they were judged. */
export function findingCauses(board: Board, findings: readonly SessionFinding[]): number[] {
  return findings.flatMap(({ position, kind }) => [position, ...policyCauses(board, POLICIES[kind])]);
}

/** What would follow from a finding of a session that closes with done now. */
export function consequenceOf(board: Judging, session: OfTask, kind: FindingKind): Consequence {
  const consequence = policyValue(board, POLICIES[kind]);
  if (consequence === "ask" && kind === "no_change" && hasPassed(board, session)) return "note";
  return consequence === "refuse" && isRefusedTwice(board, session, kind) ? "ask" : consequence;
}

/** A session's start makes passed gates pending again: what is passed was so in this session. */
function hasPassed(board: Judging, { task_id }: OfTask): boolean {
  return board.gates.where({ task_id }).some(({ state }) => state === "passed");
}

/** Whether the last two sessions before it were refused for the same kind; cancelled ones do not count. */
function isRefusedTwice(board: Judging, { id, task_id }: OfTask, kind: FindingKind): boolean {
  const before = board.sessions
    .where({ task_id }, (session) => session.id !== id && session.outcome !== "cancelled")
    .sort((a, b) => b.started_position - a.started_position)
    .slice(0, REFUSALS);
  const isRefused = ({ id: session_id }: Session) =>
    ledTo("refuse", board.sessionFindings.where({ session_id })).some((one) => one.kind === kind);
  return before.length === REFUSALS && before.every(isRefused);
}

const REFUSALS = 2;
