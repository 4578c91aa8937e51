import { z } from "zod";
import type { PlannedEvent } from "../decisions/decide.ts";
import { Refusal } from "../decisions/refusal.ts";
import { declarationReopened, gatesDeclaredAt } from "../decisions/rules/gate-declarations.ts";
import { mayDecideOnItem, noSuchItem } from "../decisions/rules/inbox-items.ts";
import { requireTask, type State } from "../decisions/state.ts";
import { whyFinal } from "../projections/board/taking-back.ts";
import { parseColumn } from "../projections/parse-column.ts";
import { acted, actWords, ITEMS, itemsInput, planForEach } from "./inbox-words.ts";
import { defineOperation } from "./operation.ts";
import { planReopened, refuseDraftOfPlan } from "./plans.ts";

/**
 * Undoes an answer, a resolution, a dismissal, an acknowledgement, an approval or a rejection, until the task's next
 * session starts (docs/rules.md, Humans), or until a gate's command runs.
 *
 * @throws Refusal `not_found`, `nothing_to_do`: no human acted on it; `too_late`; `not_possible`:
 * the caller is an agent and the item is a gate or a flag
 */
export const undo = defineOperation({
  type: "question.reopened",
  or: ["blocker.reopened", "flag.reopened", "suggestion.reopened", "plan.reopened", "gate.reopened"],
  input: itemsInput,
  permit: mayDecideOnItem,
  plan: (items, state) =>
    planForEach(
      items,
      state,
      (id) => undoing(state, id),
      (plan) => planReopened(state, plan),
    ),
  answer: acted,
  command: {
    ...actWords("undo", "undo acts on items, until the next session of their task starts", "42"),
    takes: ITEMS,
  },
  page: { name: "undo", takes: itemsInput, input: (given) => given },
});

/** The event that undoes the act on one item. */
function undoing(state: State, id: number): readonly PlannedEvent[] {
  refuseDraftOfPlan(state, id, "undo");
  const question = state.questions.get(id);
  if (question) {
    const task = requireUndoable(state, "Question", question);
    return [{ type: "question.reopened", payload: { task, question: id } }];
  }
  const blocker = state.blockers.get(id);
  if (blocker) {
    const task = requireUndoable(state, "Blocker", blocker);
    return [{ type: "blocker.reopened", payload: { task, blocker: id } }];
  }
  const flag = state.flags.get(id);
  if (flag) {
    const task = requireUndoable(state, "Flag", {
      ...flag,
      state: flag.acted_at === null ? "not acknowledged" : "acknowledged",
    });
    return [{ type: "flag.reopened", payload: { task, flag: id } }];
  }
  const declared = gatesDeclaredAt(state, id);
  if (declared.length > 0) return declarationReopened(state, declared);
  const suggestion = state.suggestions.get(id);
  if (!suggestion) throw noSuchItem(state, "question, blocker, flag or suggestion", id);
  if (suggestion.kind === "edit")
    throw new Refusal(
      "not_possible",
      "This was an edit of an issue. Change the task with `signalbox task set`.",
    );
  const of = { ...suggestion, task_id: suggestion.proposed_task ?? suggestion.task_id };
  const task = requireUndoable(state, "Suggestion", of);
  return [{ type: "suggestion.reopened", payload: { task, suggestion: id } }];
}

/** The task of an item with an act that can be undone. */
function requireUndoable(
  state: State,
  what: string,
  item: { id: number; state: string; task_id: number; acted_at: number | null },
): number {
  if (item.acted_at === null) {
    throw new Refusal("nothing_to_do", `${what} ${item.id} is ${item.state}; there is nothing to undo.`);
  }
  const task = requireTask(state, item.task_id);
  if (!whyFinal(task, item.acted_at)) return task.id;
  const { id, last_start: started } = task;
  const [session] = state.sessions.where({ task_id: id, started_position: started });
  const since = `session ${session?.id} of task ${id}`;
  const isRead = session !== undefined && isInPrompt(state, session.id, item.acted_at);
  const how = started === item.acted_at ? "by the start of" : "before the start of";
  throw new Refusal(
    "too_late",
    isRead
      ? `${what} ${item.id} was ${item.state}, and went into the prompt of ${since} at #${started}.`
      : `${what} ${item.id} was ${item.state} ${how} ${since} at #${started}; an act can be undone only until the next session starts.`,
  );
}

/** Whether a session's recorded prompt includes the event at a position. */
function isInPrompt(state: State, session: string, position: number): boolean {
  const prompt = state.prompts.get(session);
  return prompt !== undefined && z.array(z.int()).parse(parseColumn(prompt.positions)).includes(position);
}
