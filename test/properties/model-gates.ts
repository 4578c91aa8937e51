import { known, type ModelBoard, type ModelGate, type ModelTask } from "./model-board.ts";
import { evaluateAgain, finish, setStatus } from "./model-status.ts";

/** One that an agent declared waits for a human, and is not run before (issue 6, item 2). */
export function declareGate(task: ModelTask, actor: string, { max }: { max: number }): void {
  task.gates.push({
    max,
    state: "pending",
    attempts: 0,
    approval: actor === "agent" ? "waiting" : "unneeded",
  });
}

/** A rejected gate is skipped. */
export function decideOnGate(
  board: ModelBoard,
  task: ModelTask,
  number: number,
  approval: "approved" | "rejected",
): void {
  const gate = gateOf(task, number);
  gate.approval = approval;
  if (approval === "approved") return;
  gate.state = "skipped";
  if (task.status !== "needs_input") return;
  if (task.unverified && areBorneOut(task) && !task.refused) finish(board, task);
  else evaluateAgain(board, task);
}

export function reopenGate(task: ModelTask, number: number): void {
  const gate = gateOf(task, number);
  if (gate.approval === "rejected") gate.state = "pending";
  gate.approval = "waiting";
}

/** Verify gates: exit code 0 without a time-out passes; the attempt that reaches the maximum escalates. */
export function attemptGate(
  task: ModelTask,
  { gate: number, exit_code, timed_out }: { gate: number; exit_code: number | null; timed_out: boolean },
): void {
  const gate = gateOf(task, number);
  if (exit_code === 0 && !timed_out) {
    gate.state = "passed";
    gate.attempts = 0;
    return;
  }
  task.failedAttempts += 1;
  gate.attempts += 1;
  gate.state = gate.attempts >= gate.max ? "escalated" : "failed";
}

/** Verify gates, `gate_action`: it moves the task only while that is `needs_input`. */
export function actOnGate(
  board: ModelBoard,
  task: ModelTask,
  { gate: number, action }: { gate: number; action: "retry" | "skip" | "abort" },
): void {
  const gate = gateOf(task, number);
  if (action === "retry") gate.attempts = 0;
  gate.state = action === "retry" ? "pending" : action === "skip" ? "skipped" : "aborted";
  // OPEN: a blocked task stays so ("only while that is needs_input"), though step 7's last sentence says otherwise.
  if (task.status !== "needs_input") return;
  if (action === "abort") {
    // A failed task does not wait to be accepted any more.
    task.awaiting = false;
    setStatus(board, task, "failed");
  } else if (action === "skip" && task.unverified && areBorneOut(task) && !task.refused) {
    // OPEN: with `accept: human` the done, which counts now, waits for a human like a verified one.
    finish(board, task);
  } else evaluateAgain(board, task);
}

/** Step 4: every gate passed or skipped. */
export function areBorneOut({ gates }: ModelTask): boolean {
  return gates.every(({ state }) => state === "passed" || state === "skipped");
}

/** When a session starts, a passed gate is pending again and a failed one keeps its attempts. */
export function startGates({ gates }: ModelTask): void {
  for (const gate of gates) {
    if (gate.state === "passed") gate.state = "pending";
  }
}

/** Set to pending or skipped by hand: escalated and aborted gates are pending again with no attempts. */
export function resetGates({ gates }: ModelTask): void {
  for (const gate of gates) {
    if (gate.state === "escalated" || gate.state === "aborted") {
      gate.state = "pending";
      gate.attempts = 0;
    }
  }
}

function gateOf(task: ModelTask, number: number): ModelGate {
  return known(task.gates[number - 1], `gate ${number} of task ${task.id}`);
}
