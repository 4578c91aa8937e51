import type { z } from "zod";
import type { Decision } from "../decisions/decide.ts";
import { decideOnDeclaration, gatesDeclaredAt } from "../decisions/gate-declarations.ts";
import { alreadyDecided, noSuchItem } from "../decisions/inbox-items.ts";
import { Refusal } from "../decisions/refusal.ts";
import { requireTask, type State } from "../decisions/state.ts";
import { acted, actWords, ITEM, itemInput } from "./inbox-words.ts";
import { defineOperation } from "./operation.ts";

type Item = z.input<typeof itemInput>;

/** Approves what an agent proposed, a task or the gates of a declaration. @throws Refusal as either decision */
export const approveItem = defineOperation({
  type: "suggestion.approved",
  or: ["gate.approved"],
  input: itemInput,
  permit: (item, ...by) => approval(item, by[0]).permit?.(...by),
  plan: (item, state) => approval(item, state).plan(state),
  answer: acted,
  command: {
    ...actWords,
    name: "approve",
    does: "approve a task that an agent proposed, or gates that one declared",
    takes: { id: ITEM },
    example: "44",
  },
});

/** Rejects what an agent proposed, a task or the gates of a declaration. @throws Refusal as either decision */
export const rejectItem = defineOperation({
  type: "suggestion.rejected",
  or: ["gate.rejected"],
  input: itemInput,
  permit: (item, ...by) => rejection(item, by[0]).permit?.(...by),
  plan: (item, state) => rejection(item, state).plan(state),
  answer: acted,
  command: {
    ...actWords,
    name: "reject",
    does: "reject such a task or such gates: it is skipped, and so are they",
    takes: { id: ITEM },
    example: "44",
  },
});

/** Approves a task that an agent proposed. @throws Refusal `not_found`, `already_decided`, `not_possible` */
export function approveSuggestion({ id }: Item): Decision<"suggestion.approved"> {
  return {
    type: "suggestion.approved",
    input: { suggestion: id },
    plan: (state) => [
      { type: "suggestion.approved", payload: { task: requireProposal(state, id), suggestion: id } },
    ],
  };
}

/** Rejects a task that an agent proposed. @throws Refusal as `approveSuggestion` */
export function rejectSuggestion({ id }: Item): Decision<"suggestion.rejected"> {
  return {
    type: "suggestion.rejected",
    input: { suggestion: id },
    plan: (state) => [
      { type: "suggestion.rejected", payload: { task: requireProposal(state, id), suggestion: id } },
    ],
  };
}

function approval({ id }: Item, state: State): Decision {
  return areGates(state, id)
    ? decideOnDeclaration({ declared: id, approve: true })
    : approveSuggestion({ id });
}

function rejection({ id }: Item, state: State): Decision {
  return areGates(state, id)
    ? decideOnDeclaration({ declared: id, approve: false })
    : rejectSuggestion({ id });
}

function areGates(state: State, id: number): boolean {
  return gatesDeclaredAt(state, id).length > 0;
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
