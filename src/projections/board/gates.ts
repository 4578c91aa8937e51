import { AGENT } from "../../events/actors.ts";
import { outputText, passes } from "../../events/types/command-result.ts";
import type { GateDeclaration } from "../../events/types/gates.ts";
import type { Event } from "../../events/types/index.ts";
import { toFlag } from "../table.ts";
import { findingsOfLast, ledTo } from "./evidence.ts";
import { setApproval, waitAgain } from "./gate-approval.ts";
import { doneCauses, gatesInTheWay, settleDone } from "./settlement.ts";
import { changeStatus, reevaluate } from "./status.ts";
import type { Board, Gate, Task } from "./tables.ts";

/**
 * A gate declared by an agent does not run, and its task is not ready, until a human approves the
 * gate (docs/gates.md).
 */
export function declareGate(
  board: Board,
  event: Event,
  { task: id, gate, command, max, timeout_s }: GateDeclaration & { task: number; gate: number },
): void {
  const task = board.tasks.get(id);
  if (!task || board.gates.get(id, gate)) return;
  const waits = event.actor === AGENT;
  board.gates.insert({
    task_id: id,
    gate,
    command,
    max_attempts: max,
    timeout_s,
    state: "pending",
    attempts: 0,
    declared: event.position,
    approval: waits ? "waiting" : "unneeded",
  });
  if (waits) board.tasks.update(id, { unapproved_gates: task.unapproved_gates + 1 });
}

/** A rejected gate is skipped, as if a human had skipped an escalated one. */
export function decideOnGate(
  board: Board,
  event: Event<"gate.approved" | "gate.rejected">,
  approval: "approved" | "rejected",
): void {
  const { task: taskId, gate: number } = event.payload;
  const task = board.tasks.get(taskId);
  if (board.gates.get(taskId, number)?.approval !== "waiting" || !task) return;
  setApproval(board, event, task, number, approval);
  if (approval === "rejected")
    afterSkip(board, event, { ...task, unapproved_gates: task.unapproved_gates - 1 });
}

/**
 * Undoes the decision on a gate: it waits for approval again, and a rejected one becomes pending.
 */
export function reopenGate(board: Board, event: Event<"gate.reopened">): void {
  const { task: taskId, gate: number } = event.payload;
  waitAgain(board, taskId, number);
}

/**
 * Whether the gate's command may run: not if it is escalated, skipped, aborted or waiting for
 * approval.
 */
export function isRunnable({ state, approval }: Pick<Gate, "state" | "approval">): boolean {
  return ["pending", "passed", "failed"].includes(state) && approval !== "waiting";
}

/**
 * Exit code 0 without a timeout passes; the last allowed failed attempt escalates (docs/rules.md,
 * Verify gates).
 */
export function recordAttempt(board: Board, event: Event<"gate.attempted">): void {
  const { task: taskId, gate: number, stdout, stderr, ...result } = event.payload;
  const gate = board.gates.get(taskId, number);
  const task = board.tasks.get(taskId);
  if (!gate || !task || !isRunnable(gate) || isLate(board, event)) return;
  const passed = passes(result);
  const attempts = passed ? 0 : gate.attempts + 1;
  board.gates.update([taskId, number], {
    state: passed ? "passed" : attempts >= gate.max_attempts ? "escalated" : "failed",
    attempts,
    last_exit_code: result.exit_code,
    last_signal: result.signal,
    last_timed_out: toFlag(result.timed_out),
    last_interrupted: toFlag(result.interrupted),
    last_explanation: result.explanation,
    last_stdout: outputText(stdout),
    last_stderr: outputText(stderr),
    last_workspace: result.workspace_before ?? null,
    left_workspace: result.workspace_after ?? null,
    last_position: event.position,
    without: null,
  });
  if (!passed) board.tasks.update(taskId, { failed_gate_attempts: task.failed_gate_attempts + 1 });
}

/**
 * What a gate does without the task's work: on its base, and on the files of its pass without some changes. Of these the last failure
 * counts, which has the fewest, else the pass without all. A run in the agent's folder, or one that timed out, says nothing.
 */
export function recordBaseline(board: Board, { payload, position }: Event<"gate.baselined">): void {
  const { task: taskId, gate: number, base, without, ...result } = payload;
  const gate = board.gates.get(taskId, number);
  if (!gate || result.interrupted || result.timed_out) return;
  const state = passes(result) ? "passed" : "failed";
  if (without) {
    if (state === "passed" && gate.without !== null) return;
    board.gates.update([taskId, number], {
      without: state,
      without_files: JSON.stringify(without),
      without_position: position,
    });
  } else if (base !== undefined && gate.before === null && !lacksProgram(result)) {
    board.gates.update([taskId, number], { before: state, before_position: position });
  }
}

/** A shell's exit code for a command that is not there, or cannot run: that says nothing about the files. */
export function lacksProgram({ exit_code }: { readonly exit_code: number | null }): boolean {
  return exit_code === 126 || exit_code === 127;
}

/**
 * A run that finishes after its session's end settles nothing, like a late signal; it is only
 * listed among the runs.
 */
function isLate(board: Board, { payload: { started, session } }: Event<"gate.attempted">): boolean {
  return started !== undefined && session !== undefined && board.sessions.get(session)?.completed_at !== null;
}

/** The command is about to run: a human's decision on it cannot be undone any more. */
export function noteStart(board: Board, { payload, position }: Event<"gate.started">): void {
  if (payload.baseline || !board.gates.get(payload.task, payload.gate)) return;
  board.gates.update([payload.task, payload.gate], { last_started: position });
}

/**
 * A human's decision on an escalated gate. It changes the task only while that is `needs_input`;
 * during a session it changes only the gate.
 */
export function actOnGate(board: Board, event: Event<"gate.acted">): void {
  const { task: taskId, gate: number, action } = event.payload;
  const task = board.tasks.get(taskId);
  if (board.gates.get(taskId, number)?.state !== "escalated" || !task) return;
  board.gates.update([taskId, number], {
    last_action: action,
    last_position: event.position,
    ...(action === "retry"
      ? { state: "pending", attempts: 0 }
      : { state: action === "skip" ? "skipped" : "aborted" }),
  });
  if (action === "skip") {
    afterSkip(board, event, task);
  } else if (task.status === "needs_input" && action === "abort") {
    board.tasks.update(taskId, { awaiting_acceptance: 0 });
    changeStatus(board, event, taskId, "failed", { rule: "gates: abort" });
  } else if (task.status === "needs_input") {
    reevaluate(board, event, taskId);
  }
}

/**
 * This may have been the last gate that kept an unverified done from counting (docs/rules.md,
 * Verify gates).
 */
function afterSkip(board: Board, event: Event, task: Task): void {
  if (task.status !== "needs_input") return;
  const findings = task.unverified_done ? findingsOfLast(board, task) : [];
  const inTheWay = gatesInTheWay(board, task.id).length + ledTo("refuse", findings).length;
  if (task.unverified_done && inTheWay === 0) {
    const [last] = board.sessions.where({ task_id: task.id, started_position: task.last_start });
    const causes = last ? doneCauses(board, task, last) : [];
    settleDone(board, event, task, { rule: "gates: skip", causes, findings });
  } else {
    reevaluate(board, event, task.id);
  }
}
