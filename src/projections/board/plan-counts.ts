import type { Board, Plan } from "./tables.ts";

/** Keeps the counts of a plan, and with them whether it waits for a human. */
export function count(
  board: Pick<Board, "plans">,
  id: number,
  by: { readonly drafts: number; readonly tasks?: number },
): void {
  const plan = board.plans.get(id);
  if (!plan) return;
  const { drafts, tasks } = { drafts: plan.drafts + by.drafts, tasks: plan.tasks + (by.tasks ?? 0) };
  board.plans.update(id, {
    drafts,
    tasks,
    ...(plan.state !== "open" && { state: planState(drafts, tasks) }),
  });
}

export function planState(drafts: number, tasks: number): Plan["state"] {
  if (tasks === 0) return "empty";
  return drafts > 0 ? "proposed" : "decided";
}
