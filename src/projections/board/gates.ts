import type { Event } from "../../events/types/index.ts";
import { toFlag } from "../table.ts";
import { gatesInTheWay, settleDone } from "./settlement.ts";
import { changeStatus, reevaluate } from "./status.ts";
import type { Board } from "./tables.ts";

/** Exit code 0 without a time-out passes; the failed attempt that reaches the maximum escalates (rules.md, Verify gates). */
export function recordAttempt(board: Board, event: Event<"gate.attempted">): void {
  const { task: taskId, gate: number, exit_code, timed_out, stdout, stderr } = event.payload;
  const gate = board.gates.get(taskId, number);
  const task = board.tasks.get(taskId);
  if (!gate || !task || !["pending", "passed", "failed"].includes(gate.state)) return;
  const passed = exit_code === 0 && !timed_out;
  const attempts = passed ? 0 : gate.attempts + 1;
  board.gates.update([taskId, number], {
    state: passed ? "passed" : attempts >= gate.max_attempts ? "escalated" : "failed",
    attempts,
    last_exit_code: exit_code,
    last_timed_out: toFlag(timed_out),
    last_stdout: stdout,
    last_stderr: stderr,
    last_position: event.position,
  });
  if (!passed) board.tasks.update(taskId, { failed_gate_attempts: task.failed_gate_attempts + 1 });
}

/**
 * A human's decision on an escalated gate. It moves the task only while that is `needs_input`; during a session it
 * changes the gate alone.
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
  if (task.status !== "needs_input") return;
  if (action === "abort") {
    board.tasks.update(taskId, { awaiting_acceptance: 0 });
    changeStatus(board, event, taskId, "failed", { rule: "gates: abort" });
  } else if (action === "skip" && task.unverified_done && gatesInTheWay(board, taskId).length === 0) {
    settleDone(board, event, task, { rule: "gates: skip" });
  } else {
    reevaluate(board, event, taskId);
  }
}
