import type { z } from "zod";
import type { Decision } from "../decisions/decide.ts";
import { decideOnDeclaration, gatesDeclaredAt } from "../decisions/gate-declarations.ts";
import { alreadyDecided, noSuchItem } from "../decisions/inbox-items.ts";
import { Refusal } from "../decisions/refusal.ts";
import { requireTask, type State } from "../decisions/state.ts";
import { acted, actWords, itemInput } from "./inbox-words.ts";
import { defineOperation } from "./operation.ts";

type Item = z.input<typeof itemInput>;

/** Approves what an agent proposed, a task or the gates of a declaration. @throws Refusal as either decision */
export const approveItem = defineOperation({
  type: "suggestion.approved",
  or: ["gate.approved"],
  input: itemInput,
  permit: (item, ...by) => decisionOn(item, by[0], true).permit?.(...by),
  plan: (item, state) => decisionOn(item, state, true).plan(state),
  answer: acted,
  command: actWords("approve", "approve a task that an agent proposed, or gates that one declared", "44"),
});

/** Rejects what an agent proposed, a task or the gates of a declaration. @throws Refusal as either decision */
export const rejectItem = defineOperation({
  type: "suggestion.rejected",
  or: ["gate.rejected"],
  input: itemInput,
  permit: (item, ...by) => decisionOn(item, by[0], false).permit?.(...by),
  plan: (item, state) => decisionOn(item, state, false).plan(state),
  answer: acted,
  command: actWords("reject", "reject such a task or such gates: it is skipped, and so are they", "44"),
});

/** Approves a task that an agent proposed. @throws Refusal `not_found`, `already_decided`, `not_possible` */
export function approveSuggestion({ id }: Item) {
  return ofSuggestion("suggestion.approved", id);
}

/** Rejects a task that an agent proposed. @throws Refusal as `approveSuggestion` */
export function rejectSuggestion({ id }: Item) {
  return ofSuggestion("suggestion.rejected", id);
}

type OfSuggestion = "suggestion.approved" | "suggestion.rejected";

function ofSuggestion(type: OfSuggestion, suggestion: number): Decision<OfSuggestion> {
  return {
    type,
    input: { suggestion },
    plan: (state) => [{ type, payload: { task: requireProposal(state, suggestion), suggestion } }],
  };
}

function decisionOn({ id }: Item, state: State, approve: boolean): Decision {
  if (gatesDeclaredAt(state, id).length > 0) return decideOnDeclaration({ declared: id, approve });
  return approve ? approveSuggestion({ id }) : rejectSuggestion({ id });
}

/** The draft that a suggestion became, which can be decided. */
function requireProposal(state: State, id: number): number {
  const suggestion = state.suggestions.get(id);
  if (!suggestion) throw noSuchItem(state, "suggestion", id);
  if (suggestion.state === "stored" || suggestion.proposed_task === null) {
    throw new Refusal(
      "not_possible",
      `Suggestion ${id} is no task (kind ${suggestion.kind}); it is only kept.`,
    );
  }
  requireTask(state, suggestion.proposed_task);
  if (suggestion.state !== "proposed") throw alreadyDecided("Suggestion", suggestion);
  return suggestion.proposed_task;
}
