import type { Event } from "../../events/types/index.ts";
import type { Board, Gate, Plan, Task } from "./tables.ts";

/** Records what a human decided on a gate that an agent declared. */
export function setApproval(
  board: Board,
  event: Event,
  { id, unapproved_gates }: Task,
  gate: number,
  approval: "approved" | "rejected",
): void {
  board.gates.update([id, gate], {
    approval,
    approval_position: event.position,
    ...(approval === "rejected" && { state: "skipped" }),
  });
  board.tasks.update(id, { unapproved_gates: unapproved_gates - 1 });
}

/** A human who approves a task of a plan has seen its gates, but for those that came later (docs/decisions/0077-plans.md). */
export function approveGates(board: Board, event: Event<"plan.approved">, taskId: number): void {
  const plan = board.plans.get(event.payload.plan);
  const waiting = board.gates.where(
    { task_id: taskId },
    (gate) => gate.approval === "waiting" && goesWithPlan(gate, plan),
  );
  for (const { gate } of waiting) {
    const task = board.tasks.get(taskId);
    if (task) setApproval(board, event, task, gate, "approved");
  }
}

/** False for a gate that an agent declared after the plan's session: it waits for its own approval. */
export function goesWithPlan({ approval, declared }: Gate, plan: Plan | undefined): boolean {
  return approval !== "waiting" || declared <= (plan?.ended ?? declared);
}

/** The same, undone: the gates that were approved by that act wait again. */
export function reopenGates(board: Board, taskId: number, actedAt: number): void {
  for (const { gate } of board.gates.where({ task_id: taskId }, (one) => one.approval_position === actedAt))
    waitAgain(board, taskId, gate);
}

/** A gate waits for its approval again; a rejected one is pending. */
export function waitAgain(board: Board, taskId: number, number: number): void {
  const gate = board.gates.get(taskId, number);
  const task = board.tasks.get(taskId);
  if (!gate || !task || (gate.approval !== "approved" && gate.approval !== "rejected")) return;
  board.gates.update([taskId, number], {
    approval: "waiting",
    approval_position: null,
    ...(gate.approval === "rejected" && { state: "pending" }),
  });
  board.tasks.update(taskId, { unapproved_gates: task.unapproved_gates + 1 });
}
