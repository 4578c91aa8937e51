import { z } from "zod";
import type { Decision, PlannedEvent } from "../decisions/decide.ts";
import { Refusal } from "../decisions/refusal.ts";
import { declarationDecided, gatesDeclaredAt } from "../decisions/rules/gate-declarations.ts";
import { alreadyDecided, mayDecideOnItem, noSuchItem } from "../decisions/rules/inbox-items.ts";
import { requireTask, type State } from "../decisions/state.ts";
import { taskId } from "../events/types/fields.ts";
import type { PayloadOf } from "../events/types/index.ts";
import { isMark } from "../events/types/structure.ts";
import { undecidedOf } from "../projections/board/plans.ts";
import { acted, actWords, ITEMS, type itemInput, itemsInput, planForEach, planMeant } from "./inbox-words.ts";
import { defineOperation } from "./operation.ts";
import { checkDependencies, planDecided, refuseDraftOfPlan } from "./plans.ts";
import { parseRanges } from "./values.ts";

/** Of one plan: only these tasks of it. */
const only = z.array(taskId).min(1).optional();
const ONLY = ["--only <tasks>", "of a plan only these tasks, e.g. 3,5-7", { parse: parseRanges }] as const;

function planned(
  { only: tasks, ...items }: z.input<typeof itemsInput> & { readonly only?: number[] | undefined },
  state: State,
  became: "approved" | "rejected",
) {
  if (tasks && (items.others?.length || !planMeant(state, items.id)))
    throw new Refusal("not_possible", "With --only, name one plan and nothing else.", { field: "only" });
  const named = [items.id, ...(items.others ?? [])].flatMap((ref) => tasksMeant(state, ref));
  return planForEach(
    items,
    state,
    (id) => decisionOn(state, id, became),
    (plan) => planDecided(state, plan, became, tasks, tasks ? [] : named),
  );
}

/** The undecided drafts of a plan, or the draft of a proposal. */
function tasksMeant(state: State, ref: z.input<typeof itemsInput>["id"]): readonly number[] {
  const plan = planMeant(state, ref);
  if (plan) return undecidedOf(state, plan.plan).map(({ proposed_task }) => proposed_task);
  const task = state.suggestions.get(Number(ref))?.proposed_task;
  return task == null ? [] : [task];
}

/** Approves a proposed task, the gates of a declaration, or an edit of an issue. @throws Refusal as either decision */
export const approveItem = defineOperation({
  type: "suggestion.approved",
  or: ["gate.approved", "plan.approved"],
  input: itemsInput.extend({ only }),
  permit: mayDecideOnItem,
  plan: (items, state) => planned(items, state, "approved"),
  answer: acted,
  command: {
    ...actWords("approve", "approve plans, proposed tasks, declared gates, or edits of issues", [
      "44",
      "44 46 51",
      "plan-1 --only 3,5-7",
    ]),
    takes: { ...ITEMS, only: ONLY },
  },
});

/** Rejects a proposed task, the gates of a declaration, or an edit of an issue. @throws Refusal as either decision */
export const rejectItem = defineOperation({
  type: "suggestion.rejected",
  or: ["gate.rejected", "plan.rejected"],
  input: itemsInput.extend({ only }),
  permit: mayDecideOnItem,
  plan: (items, state) => planned(items, state, "rejected"),
  answer: acted,
  command: {
    ...actWords(
      "reject",
      "reject plans, proposed tasks, proposed gates or edits of issues: they are skipped",
      "44",
    ),
    takes: { ...ITEMS, only: ONLY },
  },
});

function decisionOn(state: State, id: number, became: "approved" | "rejected"): readonly PlannedEvent[] {
  refuseDraftOfPlan(state, id, became === "approved" ? "approve" : "reject");
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
    plan(state) {
      const { proposed_task: task, kind, what: title, why: description } = requireProposal(state, suggestion);
      const decided = { type, payload: { task, suggestion } };
      if (kind === "plan" && type === "suggestion.approved") checkDependencies(state, [task]);
      if (kind !== "edit" || type !== "suggestion.approved") return [decided];
      if (!isMark(title) && !isMark(description))
        return [decided, { type: "task.changed", payload: { task, title, description } }];
      throw new Refusal(
        "not_possible",
        `Edit ${suggestion} was redacted. Edit the issue again, or reject it.`,
      );
    },
  });
}

/** Lets new words of a task wait for a human. @throws Refusal `not_found` */
export function suggestEdit(payload: PayloadOf<"task.edit_suggested">): Decision<"task.edit_suggested"> {
  const type = "task.edit_suggested";
  const plan = (state: State) =>
    [{ type, payload: { ...payload, task: requireTask(state, payload.task).id } }] as const;
  return { type, input: payload, plan };
}

/** A suggestion that can be decided, of a draft or an edit. */
function requireProposal(state: State, id: number) {
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
  return { ...suggestion, proposed_task: suggestion.proposed_task };
}
