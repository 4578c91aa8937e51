import type { Event } from "../../events/types/index.ts";
import { toSqlTime } from "../../lib/time.ts";
import { parseColumn } from "../parse-column.ts";
import { approveGates, reopenGates } from "./gate-approval.ts";
import { count, planState } from "./plan-counts.ts";
import { decideProposal, moveDecidedDraft, reopenProposal } from "./proposals.ts";
import type { Board, Suggestion } from "./tables.ts";

/* Plans (docs/decisions/0077-plans.md): what a session without a task proposes, and what a human decides on it. */

export function beginPlan(board: Board, event: Event<"plan.begun">): void {
  const { plan, session, text, feature, again } = event.payload;
  if (board.plans.get(plan)) return;
  board.plans.insert({
    plan,
    begun: event.position,
    session_id: session,
    text,
    feature: feature ?? null,
    again: again ?? null,
    state: "open",
    tasks: 0,
    drafts: 0,
    confirmed: "[]",
    ended: null,
    created: toSqlTime(event.recordedAt),
  });
}

/** Its session has ended: what it proposed waits for a human, and replaces what an earlier plan of the same had proposed. */
export function endPlanning(board: Board, event: Event<"session.ended">, session: string): void {
  for (const { plan, drafts, tasks, again } of board.plans.where({ session_id: session })) {
    board.plans.update(plan, { state: planState(drafts, tasks), ended: event.position });
    // Half of a plan replaces none.
    if (tasks === 0 || again === null || event.payload.exit !== "exited") continue;
    for (const { id, proposed_task } of undecidedOf(board, again)) {
      decideProposal(board, event, id, "rejected");
      moveDecidedDraft(board, event, proposed_task, "rejected", "plans: replaced");
    }
  }
}

/** The same again: of a plan that this one replaces it is the new one's. */
export function confirmDraft(board: Board, event: Event<"plan.confirmed">): void {
  const { plan: id, task } = event.payload;
  const plan = board.plans.get(id);
  const [draft] = board.suggestions.where({ proposed_task: task }, isOfPlan);
  if (!plan || !draft || draft.state !== "proposed") return;
  board.suggestions.update(draft.id, { confirmed: draft.confirmed + 1 });
  const confirmed = new Set([...parseColumn(plan.confirmed), task]);
  board.plans.update(id, { confirmed: JSON.stringify([...confirmed]) });
  if (draft.plan === null || draft.plan !== plan.again) return;
  board.suggestions.update(draft.id, { plan: id });
  count(board, draft.plan, { drafts: -1, tasks: -1 });
  count(board, id, { drafts: 1, tasks: 1 });
}

export function recordFaults(board: Board, event: Event<"plan.checked">): void {
  const { plan, faults } = event.payload;
  for (const { nth } of board.planFaults.where({ plan })) board.planFaults.delete(plan, nth);
  for (const [index, { kind, task, says }] of faults.entries())
    board.planFaults.insert({ plan, nth: index + 1, kind, task_id: task ?? null, says });
}

export function decidePlan(
  board: Board,
  event: Event<"plan.approved" | "plan.rejected">,
  state: "approved" | "rejected",
): void {
  for (const { id, proposed_task } of draftsIn(board, event)) {
    if (board.suggestions.get(id)?.state !== "proposed") continue;
    decideProposal(board, event, id, state);
    if (event.type === "plan.approved") approveGates(board, event, proposed_task);
    moveDecidedDraft(board, event, proposed_task, state);
  }
}

export function reopenPlan(board: Board, event: Event<"plan.reopened">): void {
  for (const { id, proposed_task, acted_at } of draftsIn(board, event)) {
    reopenProposal(board, event, id);
    if (acted_at !== null) reopenGates(board, proposed_task, acted_at);
  }
}

/** The drafts of a plan that an event names. */
function draftsIn(
  board: Board,
  { payload: { plan, tasks } }: Event<"plan.approved" | "plan.rejected" | "plan.reopened">,
) {
  return tasks.flatMap((task) =>
    board.suggestions
      .where({ proposed_task: task }, (draft) => draft.plan === plan)
      .map((draft) => ({ ...draft, proposed_task: task })),
  );
}

/** The drafts of a plan that no human has decided on, in the order in which they were proposed. */
export function undecidedOf(
  board: Pick<Board, "suggestions">,
  plan: number,
): (Suggestion & { proposed_task: number })[] {
  return board.suggestions
    .where({ plan, state: "proposed" })
    .flatMap((draft) =>
      draft.proposed_task === null ? [] : [{ ...draft, proposed_task: draft.proposed_task }],
    );
}

function isOfPlan({ plan }: Suggestion): boolean {
  return plan !== null;
}
