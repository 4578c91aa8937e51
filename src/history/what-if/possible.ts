import { Refusal } from "../../decisions/refusal.ts";
import { startGateRun } from "../../decisions/rules/gate-runs.ts";
import { requireRunnable } from "../../decisions/rules/gates.ts";
import type { State } from "../../decisions/state.ts";
import type { Event, EventType } from "../../events/types/index.ts";
import { acceptTask, sendBackTask } from "../../operations/acceptance.ts";
import { deleteTask } from "../../operations/delete-task.ts";
import { enrichTask } from "../../operations/enrich-task.ts";
import { actOnGate, decideOnGates, declareGates, reopenGate } from "../../operations/gates.ts";
import { answerQuestion, dismissItem, resolveBlocker } from "../../operations/inbox.ts";
import { acknowledgeFlag } from "../../operations/inbox-flags.ts";
import { approveSuggestion, rejectSuggestion, suggestEdit } from "../../operations/inbox-proposals.ts";
import { undo } from "../../operations/inbox-undo.ts";
import { endSession, startSession } from "../../operations/sessions.ts";
import { continueTask } from "../../operations/stalls.ts";
import { setTaskStatus } from "../../operations/task-status.ts";
import { changeTask, createTask } from "../../operations/tasks.ts";
import { decidedOn } from "../../projections/all.ts";
import { type Board, boardTables } from "../../projections/board/tables.ts";

/**
 * Why an event was impossible on this board, in the words of the decision behind it, which is tried
 * again there; undefined if it was possible. A signal is a fact and always possible.
 */
export function whyImpossible(board: Board, event: Event): string | undefined {
  const decide = DECISIONS[event.type];
  if (!decide) return undefined;
  try {
    decide(stateOn(board), event);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return reasonIn(error);
    throw error;
  }
}

/** Made once for each board: every event needs them. */
const states = new WeakMap<Board, State>();

function stateOn(board: Board): State {
  const known = states.get(board);
  if (known) return known;
  const state: State = { ...board, ...ELSEWHERE };
  states.set(board, state);
  return state;
}

type Decide<Type extends EventType> = (state: State, event: Event<Type>) => unknown;

const decisions: { readonly [Type in EventType]?: Decide<Type> } = {
  "task.created": (state, { payload }) => createTask(payload).plan(state),
  "task.changed": (state, { payload }) => changeTask(payload).plan(state),
  "task.enriched": (state, { payload }) => enrichTask(payload).plan(state),
  "task.deleted": (state, { payload }) => deleteTask(payload).plan(state),
  "task.status_set": (state, { payload }) => setTaskStatus(payload).plan(state),
  "task.accepted": (state, { payload: { task } }) => acceptTask({ task }).plan(state),
  "task.sent_back": (state, { payload }) => sendBackTask(payload).plan(state),
  "task.continued": (state, { payload }) => continueTask(payload).plan(state),

  // Without a task it is possible in every world.
  "session.started": (state, { payload: { forced, host: _, recipe: __, task, ...start } }) =>
    task === undefined ? undefined : startSession({ ...start, task, force: forced }).plan(state),
  "session.ended": (state, { payload }) => endSession(payload).plan(state),

  "gate.declared": (state, { payload: { task, gate: _, ...gate } }) =>
    declareGates({ task, gates: [gate] }).plan(state),
  "gate.approved": (state, { payload }) => decideOnGates({ ...payload, approve: true }).plan(state),
  "gate.rejected": (state, { payload }) => decideOnGates({ ...payload, approve: false }).plan(state),
  "gate.reopened": (state, { payload }) => reopenGate(payload).plan(state),
  "gate.started": (state, { payload }) => startGateRun(payload).plan(state),
  "gate.attempted": (state, { payload }) => requireRunnable(state, payload),
  "gate.acted": (state, { payload }) => actOnGate(payload).plan(state),

  "question.answered": (state, { payload: { question: id, answer } }) =>
    answerQuestion({ id, answer }).plan(state),
  "question.dismissed": (state, { payload: { question: id } }) => dismissItem({ id }).plan(state),
  "question.reopened": (state, { payload: { question: id } }) => undo({ id }).plan(state),
  "blocker.resolved": (state, { payload: { blocker: id } }) => resolveBlocker({ id }).plan(state),
  "blocker.dismissed": (state, { payload: { blocker: id } }) => dismissItem({ id }).plan(state),
  "blocker.reopened": (state, { payload: { blocker: id } }) => undo({ id }).plan(state),
  "flag.acknowledged": (state, { payload: { flag: id } }) => acknowledgeFlag({ id }).plan(state),
  "flag.reopened": (state, { payload: { flag: id } }) => undo({ id }).plan(state),
  "task.edit_suggested": (state, { payload }) => suggestEdit(payload).plan(state),
  "suggestion.approved": (state, { payload: { suggestion: id } }) => approveSuggestion({ id }).plan(state),
  "suggestion.rejected": (state, { payload: { suggestion: id } }) => rejectSuggestion({ id }).plan(state),
  "suggestion.reopened": (state, { payload: { suggestion: id } }) => undo({ id }).plan(state),
};
// Each is only called with events of its own type.
const DECISIONS = decisions as Readonly<Partial<Record<EventType, Decide<EventType>>>>;

const NO_ROWS = { get: () => undefined, where: () => [], first: () => [], scan: () => [] };

/**
 * The context of a decision besides the board: every named feature and discipline exists, since no
 * policy creates or deletes one.
 */
const ELSEWHERE = {
  ...Object.fromEntries(
    Object.keys(decidedOn).flatMap((name) => (Object.hasOwn(boardTables, name) ? [] : [[name, NO_ROWS]])),
  ),
  features: { get: (name: string) => ({ name }) },
  disciplines: { get: (name: string) => ({ name }) },
  merges: NO_ROWS,
} as unknown as Omit<State, Exclude<keyof Board, "merges">>;

/**
 * The first clause of a refusal; the rest advises what to do now, which does not apply to the past.
 */
function reasonIn({ message }: Refusal): string {
  const clause = message.replace(/(?:[.;] |: `|\.$).*$/s, "");
  return clause.charAt(0).toLowerCase() + clause.slice(1);
}
