import type { z } from "zod";
import type { Decision, PlannedEvent } from "../decisions/decide.ts";
import { declarationDecided, gatesDeclaredAt } from "../decisions/gate-declarations.ts";
import { alreadyDecided, mayDecideOnItem, noSuchItem } from "../decisions/inbox-items.ts";
import { Refusal } from "../decisions/refusal.ts";
import { requireTask, type State } from "../decisions/state.ts";
import { acted, actWords, ITEMS, type itemInput, itemsInput, planForEach } from "./inbox-words.ts";
import { defineOperation } from "./operation.ts";

/** Approves what an agent proposed, a task or the gates of a declaration. @throws Refusal as either decision */
export const approveItem = defineOperation({
  type: "suggestion.approved",
  or: ["gate.approved"],
  input: itemsInput,
  permit: mayDecideOnItem,
  plan: (items, state) => planForEach(items, state, (id) => decisionOn(state, id, "approved")),
  answer: acted,
  command: {
    ...actWords("approve", "approve tasks that agents proposed, or gates that one declared", [
      "44",
      "44 46 51",
    ]),
    takes: ITEMS,
  },
});

/** Rejects what an agent proposed, a task or the gates of a declaration. @throws Refusal as either decision */
export const rejectItem = defineOperation({
  type: "suggestion.rejected",
  or: ["gate.rejected"],
  input: itemsInput,
  permit: mayDecideOnItem,
  plan: (items, state) => planForEach(items, state, (id) => decisionOn(state, id, "rejected")),
  answer: acted,
  command: {
    ...actWords("reject", "reject proposed tasks or proposed gates: they are skipped", "44"),
    takes: ITEMS,
  },
});

function decisionOn(state: State, id: number, became: "approved" | "rejected"): readonly PlannedEvent[] {
  const declared = gatesDeclaredAt(state, id);
  if (declared.length > 0) return declarationDecided(state, declared, `gate.${became}`);
  return ofSuggestion(`suggestion.${became}`)({ id }).plan(state);
}

/** Approves a task that an agent proposed. @throws Refusal `not_found`, `already_decided`, `not_possible` */
export const approveSuggestion = ofSuggestion("suggestion.approved");

/** Rejects a task that an agent proposed. @throws Refusal as `approveSuggestion` */
export const rejectSuggestion = ofSuggestion("suggestion.rejected");

type OfSuggestion = "suggestion.approved" | "suggestion.rejected";

function ofSuggestion(type: OfSuggestion) {
  return ({ id: suggestion }: z.input<typeof itemInput>): Decision<OfSuggestion> => ({
    type,
    input: { suggestion },
    plan: (state) => [{ type, payload: { task: requireProposal(state, suggestion), suggestion } }],
  });
}

/** The draft that a suggestion became, which can be decided. */
function requireProposal(state: State, id: number): number {
  const suggestion = state.suggestions.get(id);
  if (!suggestion) throw noSuchItem(state, "suggestion", id);
  if (suggestion.state === "stored" || suggestion.proposed_task === null) {
    throw new Refusal(
      "not_possible",
      `Suggestion ${id} proposes no task (it is of kind ${suggestion.kind}), so there is nothing to ` +
        "decide.",
    );
  }
  requireTask(state, suggestion.proposed_task);
  if (suggestion.state !== "proposed") throw alreadyDecided("Suggestion", suggestion);
  return suggestion.proposed_task;
}
