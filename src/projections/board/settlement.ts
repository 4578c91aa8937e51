import { passes, type RecordedResult } from "../../events/types/command-result.ts";
import { howItEnded } from "../../events/types/gate-runs.ts";
import type { Event } from "../../events/types/index.ts";
import type { CancelCause, SessionExit } from "../../events/types/sessions.ts";
import type { ClosingVerb } from "../../events/types/signals.ts";
import { findingInWords } from "../../events/types/work-words.ts";
import { fromIsoTime, fromSqlTime, toSqlTime } from "../../lib/time.ts";
import { toFlag } from "../table.ts";
import { outsideToAsk } from "./artifacts.ts";
import { linkBlocker } from "./blockers.ts";
import { dropHeldDependency } from "./dependencies.ts";
import { findingCauses, judgeFindings, ledTo } from "./evidence.ts";
import { endPlanning } from "./plans.ts";
import { policyCauses, policyValue } from "./policies.ts";
import { createProposedTask } from "./proposals.ts";
import { unprovenCauses, unprovenToAsk } from "./proven.ts";
import { enterState } from "./session-states.ts";
import { type EndOfRow, FRESH_ROWS, leavesSomethingOpen, rowsAfter } from "./stalls.ts";
import { changeStatus, type Reason, waitingStatus } from "./status.ts";
import type { Blocker, Board, Gate, Question, Session, SessionFinding, Task, TaskSession } from "./tables.ts";

/**
 * Settlement: sets a task's status when one of its sessions ends. The numbers are those of
 * docs/rules.md, Settlement.
 *
 *     signals ──▶ closing verb ──▶ verified? ──▶ outcome ──▶ counters, questions, blockers, drafts
 * ──▶ status
 */
export function settle(board: Board, event: Event<"session.ended">): void {
  const found = board.sessions.get(event.payload.session);
  if (!found || found.completed_at !== null) return;
  if (found.task_id === null) endWithoutTask(board, event, found);
  const task = board.tasks.get(found.task_id ?? 0);
  if (!task) return;
  const session = { ...found, task_id: task.id };

  const forgotten = session.last_closing === "done" ? forgetPasses(board, session, event) : [];
  const ending = judge(board, event.payload.exit, session);
  for (const { session_id, nth, led_to } of ending.findings)
    board.sessionFindings.update([session_id, nth], { led_to });
  endSession(board, event, session, ending);
  countSession(board, event, session, task, ending);

  if (ending.settlesAs === "done") {
    settleDone(board, event, task, {
      rule: "settlement 5",
      causes: doneCauses(board, task, session),
      session: session.id,
      findings: ending.findings,
    });
  } else {
    openWhatWasRaised(board, session); // 7, 8, 10
    board.tasks.update(task.id, countsAfter(board, session, task, { ...ending, ...endOf(event, session) }));
    const settled = board.tasks.get(task.id) ?? task;
    const { status, reason } = statusAfterPartialOrStuck(board, settled);
    const waited =
      settled.stuck_count > task.stuck_count && ending.settlesAs === "partial" && status === "failed";
    const unproven = ending.unverified
      ? [
          ...gateCauses(ending.openGates, settled),
          ...forgotten,
          ...findingCauses(board, ledTo("refuse", ending.findings)),
        ]
      : [];
    changeStatus(board, event, task.id, status, {
      ...reason,
      causes: [
        ...closingOf(board, session),
        ...unproven,
        ...(waited ? policyCauses(board, "waiting_is_stuck") : []),
        ...(reason.causes ?? []),
      ],
      session: session.id,
    });
  }
  board.sessions.update(session.id, { stuck_count: board.tasks.get(task.id)?.stuck_count });
  proposeTasks(board, event, session, task); // 9, after the blockers (11)
}

/**
 * A pass counts for the files that it ran on: one on others than those that the session left is none (docs/rules.md, Evidence).
 *
 * @returns the event that tells of these files, where that was so
 */
function forgetPasses(
  board: Board,
  { id, task_id }: TaskSession,
  { payload, position }: Event<"session.ended">,
): number[] {
  const work = board.sessionWork.get(id);
  const files = payload.files ?? work?.fingerprint ?? null;
  const passed = passedOnOthers(board.gates.where({ task_id }), files);
  for (const { gate } of passed) board.gates.update([task_id, gate], { state: "pending" });
  return passed.length > 0 ? [(payload.files === undefined && work?.position) || position] : [];
}

/**
 * The gates of a task that passed on other files than these; none where these, or those of a pass, are unknown. What the gates
 * changed themselves, one after the other, does not count against them.
 *
 * @param files their fingerprint
 */
export function passedOnOthers(gates: readonly Gate[], files: string | null): Gate[] {
  if (files === null) return [];
  const passed = gates.filter(({ state, last_workspace }) => state === "passed" && last_workspace !== null);
  // These, and those from which the gates made them.
  const same = new Set([files]);
  for (let size = 0; size !== same.size; ) {
    size = same.size;
    for (const { last_workspace, left_workspace } of passed)
      if (last_workspace !== null && same.has(left_workspace ?? "")) same.add(last_workspace);
  }
  return passed.filter(({ last_workspace }) => !same.has(last_workspace ?? ""));
}

/** A session, as far as its settlement depends on it. */
export type Ended = Pick<TaskSession, "id" | "task_id" | "learned" | "last_closing" | "workspace_start">;

/** 4: the gates that keep a done unverified. */
export function gatesInTheWay(board: Pick<Board, "gates">, taskId: number): Gate[] {
  return board.gates.where({ task_id: taskId }, (gate) => !bearsOut(gate));
}

/** 4: whether this gate allows a done. */
export function bearsOut({ state }: Pick<Gate, "state">): boolean {
  return state === "passed" || state === "skipped";
}

interface Ending {
  /**
   * 2, 3: the closing verb that counts, or an inferred stuck; none if a cancelled session closed with
   * no verb.
   */
  readonly closing: ClosingVerb | null;
  readonly inferred: boolean;
  /** 4: a done that the gates or what was found in the workspace do not confirm. */
  readonly unverified: boolean;
  readonly settlesAs: ClosingVerb;
  readonly outcome: NonNullable<Session["outcome"]>;
  /** 4: the gates whose failures are the remaining work. */
  readonly openGates: readonly Gate[];
  /** What was found, and what follows from it, where it closed with done. */
  readonly findings: readonly SessionFinding[];
}

type EndOfSession = Pick<Ending, "closing" | "inferred" | "unverified" | "outcome">;

/** 2 to 4: what a session that ends so comes to. */
export function judge(board: Board, exit: SessionExit, session: Ended): Ending {
  const inferred = session.last_closing === null && exit !== "cancelled";
  const closing = session.last_closing ?? (inferred ? "stuck" : null);
  const openGates = gatesInTheWay(board, session.task_id);
  const findings = closing === "done" ? judgeFindings(board, session) : [];
  const unverified = closing === "done" && openGates.length + ledTo("refuse", findings).length > 0;
  const settlesAs = closing === null || unverified ? "partial" : closing;
  return {
    closing,
    inferred,
    unverified,
    settlesAs,
    outcome: outcomeOf(closing, unverified, exit),
    openGates,
    findings,
  };
}

/** A session without a task settles nothing (docs/decisions/0077-plans.md). */
function endWithoutTask(board: Board, event: Event<"session.ended">, session: Session): void {
  const { exit } = event.payload;
  const outcome = exit === "exited" ? "success" : outcomeOf(null, false, exit);
  endSession(board, event, session, { closing: null, inferred: false, unverified: false, outcome });
  endPlanning(board, event, session.id);
}

/** The closing verb decides; for stuck or no verb, the exit does (docs/rules.md, Sessions). */
function outcomeOf(closing: ClosingVerb | null, unverified: boolean, exit: SessionExit): Ending["outcome"] {
  if (closing === "done" && !unverified) return "success";
  if (closing === "done" || closing === "partial") return "partial";
  if (exit === "cancelled") return "cancelled";
  return exit === "timed_out" ? "timeout" : "failure";
}

function endSession(
  board: Board,
  event: Event<"session.ended">,
  session: Session,
  ending: EndOfSession,
): void {
  const { exit, workspace, reason, cause } = event.payload;
  const state = ending.outcome === "success" || ending.outcome === "partial" ? "done" : "failed";
  // A failed session has no closing verb except stuck.
  const error = reason ?? session.last_closing_text ?? (ending.inferred ? INFERRED_REASON : exit);
  enterState(board, event, session.id, {
    state,
    irregular: false,
    metadata: state === "failed" ? { error } : {},
  });
  board.sessions.update(session.id, {
    exit,
    end_reason: reason ?? null,
    cause: cause ?? null,
    closing: ending.closing,
    inferred: toFlag(ending.inferred),
    unverified: toFlag(ending.unverified),
    outcome: ending.outcome,
    workspace_end: workspace ?? null,
    ended_position: event.position,
    completed_at: toSqlTime(event.recordedAt),
  });
  keepTimes(board, event, session.id, ending);
}

function keepTimes(board: Board, event: Event<"session.ended">, id: string, ending: EndOfSession): void {
  const session = board.sessions.get(id);
  if (!session) return;
  board.sessionTimes.insert({
    started_position: session.started_position,
    ended_position: event.position,
    session_id: id,
    task_id: session.task_id,
    started_at: session.started_at,
    completed_at: toSqlTime(event.recordedAt),
    length_us: fromIsoTime(event.recordedAt) - fromSqlTime(session.started_at),
    outcome: ending.outcome,
    closing: ending.closing,
    inferred: toFlag(ending.inferred),
    unverified: toFlag(ending.unverified),
    idle_us: session.idle_us,
    analyzing_us: session.analyzing_us,
    implementing_us: session.implementing_us,
    testing_us: session.testing_us,
    committing_us: session.committing_us,
    reviewing_us: session.reviewing_us,
    returns: session.returns,
  });
}

const INFERRED_REASON = "session ended without closing signal";

/** 5, 6 and the counters of docs/rules.md, Stagnation. */
function countSession(
  board: Board,
  event: Event<"session.ended">,
  session: Session,
  task: Task,
  ending: Ending,
): void {
  const { hasChanged } = endOf(event, session);
  board.tasks.update(task.id, {
    open_session: null,
    unverified_done: toFlag(ending.unverified),
    remaining:
      ending.settlesAs === "partial"
        ? (remainingWork(session, task, ending) ?? task.remaining)
        : task.remaining,
    inferred_stucks: task.inferred_stucks + toFlag(ending.inferred),
    partials_in_a_row: ending.outcome === "partial" ? task.partials_in_a_row + 1 : 0,
    ...holdAfter(event, task, ending),
    unchanged_in_a_row:
      hasChanged === undefined ? task.unchanged_in_a_row : hasChanged ? 0 : task.unchanged_in_a_row + 1,
  });
}

/**
 * Cancelled sessions say nothing about the task, yet must not repeat for ever: after three in a row
 * the task is held (docs/decisions/0039). A session that worked resets the count; one with an
 * unknown cause leaves it unchanged.
 */
function holdAfter(
  { payload: { cause }, position }: Event<"session.ended">,
  { cancelled_in_a_row: before, held_at }: Task,
  { outcome }: Ending,
): Pick<Task, "cancelled_in_a_row" | "held_at"> {
  if (outcome !== "cancelled") return { cancelled_in_a_row: 0, held_at: 0 };
  const cancelled_in_a_row = before + (cause !== undefined && COUNTED.has(cause) ? 1 : 0);
  const isHeld = cancelled_in_a_row >= HOLD_AFTER;
  return { cancelled_in_a_row, held_at: held_at === 0 && isHeld ? position : held_at };
}

/**
 * Causes that the task itself may have. A loop waits for limits and outages to end, and stops on a
 * wrong setup.
 */
const COUNTED: ReadonlySet<CancelCause> = new Set(["driver", "budget", "denied", "tools", "model"]);
const HOLD_AFTER = 3;

function endOf({ position, payload }: Event<"session.ended">, { workspace_start: start }: Session) {
  const { workspace, learned_nothing_new } = payload;
  const hasChanged = start === null || workspace === undefined ? undefined : start !== workspace;
  return { position, hasChanged, learned_nothing_new };
}

/** The counts after a session that settles as partial or stuck, and what it raised is open. */
export function countsAfter(board: Board, session: Ended, task: Task, end: Ending & EndOfRow) {
  return {
    ...rowsAfter(board, task, session, end),
    stuck_count: stuckCountAfter(board, session, task, end),
  };
}

/**
 * 6: stuck raises the count; partial leaves it unchanged. By policy a partial that leaves something open counts as stuck, or
 * another one resets the count.
 */
function stuckCountAfter(
  board: Board,
  session: Ended,
  { stuck_count }: Task,
  { settlesAs, closing }: Ending,
): number {
  if (settlesAs === "stuck") return stuck_count + 1;
  if (policyValue(board, "waiting_is_stuck") && leavesSomethingOpen(board, session)) return stuck_count + 1;
  if (closing !== "partial") return stuck_count;
  const resets =
    policyValue(board, "partial_resets") ||
    (session.learned === 1 && policyValue(board, "partial_with_learnings_resets"));
  return resets ? 0 : stuck_count;
}

function remainingWork(
  session: Session,
  { last_start }: Task,
  { openGates, findings, unverified }: Ending,
): string | null {
  if (!unverified) return session.last_closing_text;
  const gates = openGates.map((gate) => describeGate(gate, last_start));
  return [...ledTo("refuse", findings).map(findingInWords), ...gates].join("\n\n");
}

/**
 * What a failing gate says about the work: its last failure, or that it did not run.
 *
 * @param start of the session
 */
function describeGate(gate: Gate, start: number): string {
  const name = `Gate ${gate.gate} (${gate.command})`;
  if (gate.approval === "waiting") return `${name} waits for a human's approval and has not been run.`;
  if (passedSince(gate, start)) return `${name} passed on other files than those that the session left.`;
  const last = lastResult(gate);
  if (!last || passes(last)) return `${name} has not been run in this session.`;
  const output = [gate.last_stdout, gate.last_stderr, gate.last_explanation].filter(Boolean).join("\n");
  return `${name} ${howItEnded(last)}.${output ? `\n\n${output}` : ""}`;
}

/** Whether a gate's last attempt passed, after this position: if it does not count then, it was on other files. */
export function passedSince(
  gate: Parameters<typeof lastResult>[0] & Pick<Gate, "last_position">,
  start: number,
): boolean {
  const last = lastResult(gate);
  return last !== undefined && passes(last) && (gate.last_position ?? 0) > start;
}

/** How a gate's last attempt ended; undefined if it never ran. */
export function lastResult(
  gate: Pick<Gate, "last_exit_code" | "last_signal" | "last_timed_out" | "last_interrupted">,
): Pick<RecordedResult, "exit_code" | "signal" | "timed_out" | "interrupted"> | undefined {
  if (gate.last_timed_out === null) return undefined;
  return {
    exit_code: gate.last_exit_code,
    signal: gate.last_signal,
    timed_out: gate.last_timed_out === 1,
    interrupted: gate.last_interrupted === 1,
  };
}

/**
 * 5: the task is done: its stuck count returns to 0, its questions and blockers become information.
 * If a human must accept the task, all of this applies except the status.
 *
 * @param reason with what was found in the session
 */
export function settleDone(
  board: Board,
  event: Event,
  task: Task,
  { findings, causes, ...reason }: Reason & Required<Pick<Reason, "causes">> & Pick<Ending, "findings">,
): void {
  markDone(board, task.id);
  const asked = ledTo("ask", findings);
  const unproven = unprovenToAsk(board, task.id);
  const outside = outsideToAsk(board, task);
  if (task.accept === "auto" && asked.length + unproven.length + outside.paths.length === 0) {
    changeStatus(board, event, task.id, "done", { ...reason, causes });
    return;
  }
  board.tasks.update(task.id, { awaiting_acceptance: 1 });
  changeStatus(board, event, task.id, "needs_input", {
    ...reason,
    rule: task.accept === "human" ? "humans: accept" : "evidence: ask",
    causes: [
      ...causes,
      ...findingCauses(board, asked),
      ...unprovenCauses(board, unproven),
      ...outside.causes,
    ],
  });
}

/** 5: the effects of a done besides the status. */
export function markDone(board: Board, taskId: number): void {
  board.tasks.update(taskId, { stuck_count: 0, unverified_done: 0, remaining: null, ...FRESH_ROWS });
  makeInformational(board, taskId);
}

/**
 * 5, 8: closes the open and raised questions and blockers of a done task, including those
 * underneath a human's act. A closed blocker holds no dependency (10).
 */
function makeInformational(board: Board, taskId: number): void {
  const held = board.blockers.where({ task_id: taskId, state: "open" });
  for (const table of [board.questions, board.blockers] as const) {
    for (const { id } of table.where({ task_id: taskId, state: ["open", "raised"] })) {
      table.update(id, { state: "informational" });
    }
    for (const { id } of table.where({ task_id: taskId, state_without_act: ["open", "raised"] })) {
      table.update(id, { state_without_act: "informational" });
    }
  }
  for (const { depends_on } of held) if (depends_on !== null) dropHeldDependency(board, taskId, depends_on);
}

/**
 * 7, 8, 10: the session's blocking questions and blockers open on the task; its other questions
 * become information.
 */
function openWhatWasRaised(board: Board, session: Session): void {
  for (const question of board.questions.where({ session_id: session.id }, wasRaised)) {
    const state = question.blocking ? "open" : "informational";
    board.questions.update(
      question.id,
      question.state === "raised" ? { state } : { state_without_act: state },
    );
  }
  for (const blocker of board.blockers.where({ session_id: session.id }, wasRaised)) {
    if (blocker.state === "raised") {
      board.blockers.update(blocker.id, { state: "open" });
      linkBlocker(board, blocker);
    } else {
      board.blockers.update(blocker.id, { state_without_act: "open" });
    }
  }
}

function wasRaised({ state, state_without_act }: Question | Blocker): boolean {
  return state === "raised" || state_without_act === "raised";
}

/** 7: the first rule that applies. `foretell` is that of `waitingStatus`. */
export function statusAfterPartialOrStuck(
  board: Board,
  task: Task,
  foretell = false,
): ReturnType<typeof waitingStatus> {
  const aborted = board.gates.where({ task_id: task.id }, ({ state }) => state === "aborted");
  if (task.stuck_count >= policyValue(board, "stuck_limit") || aborted.length > 0) {
    const causes = [
      ...aborted.flatMap(({ last_position }) => last_position ?? []),
      ...policyCauses(board, "stuck_limit"),
    ];
    return { status: "failed", reason: { rule: "settlement 7a", causes } };
  }
  return waitingStatus(board, task, foretell);
}

/** 9: every suggested task becomes a draft, whatever the closing verb. */
function proposeTasks(board: Board, event: Event, session: Session, task: Task): void {
  const proposals = board.suggestions.where(
    { session_id: session.id },
    ({ kind, late }) => kind === "new_task" && late === 0,
  );
  for (const suggestion of proposals) createProposedTask(board, event, suggestion, task);
}

/** 4, 5: a session's done, and the events that confirm it. */
export function doneCauses(board: Board, task: Task, session: Session): number[] {
  return [...closingOf(board, session), ...gateCauses(board.gates.where({ task_id: task.id }), task)];
}

/**
 * The event behind each gate's state: its last attempt, act or decision, or its declaration; for a
 * gate that passed and must pass again, the session start that reset it.
 */
function gateCauses(gates: readonly Gate[], { last_start }: Task): number[] {
  return gates.flatMap((gate) => {
    const { state, declared, last_position, approval_position } = gate;
    const last = lastResult(gate);
    const isBefore = last_position === null || last_position < last_start;
    const mustPassAgain = state === "pending" && isBefore && last !== undefined && passes(last);
    return [
      Math.max(declared, last_position ?? 0, approval_position ?? 0),
      ...(mustPassAgain ? [last_start] : []),
    ];
  });
}

/** 2: the closing verb, and the policy that chose it. */
function closingOf(board: Board, { last_closing_position: position }: Session): number[] {
  return position === null ? [] : [position, ...policyCauses(board, "closing")];
}
