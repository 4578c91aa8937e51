import { z } from "zod";
import type { GateAction } from "../events/types/gates.ts";
import { whyFinal } from "../projections/board/taking-back.ts";
import type { Decision, PlannedEvent } from "./decide.ts";
import { decideOnDeclaration, gatesDeclaredAt, reopenDeclaration } from "./gate-declarations.ts";
import { checkNoAgent } from "./gates.ts";
import { escalatedGateAt, heldAt, noSuchItem } from "./inbox-items.ts";
import { Refusal } from "./refusal.ts";
import { requireTask, type State } from "./state.ts";
import { statusSet } from "./tasks.ts";

/** An item is known by its id, the position of the event that put it there. */
interface Item {
  readonly id: number;
}

/** Any ask that is not answered or dismissed can be answered. @throws Refusal `not_found`, `already_decided` */
export function answerQuestion({ id, answer }: Item & { answer: string }): Decision<"question.answered"> {
  return {
    type: "question.answered",
    input: { question: id, answer },
    plan(state) {
      const { task_id: task } = undecidedQuestion(state, id);
      return [{ type: "question.answered", payload: { task, question: id, answer } }];
    },
  };
}

/** @throws Refusal `not_found`, `already_decided` */
export function resolveBlocker({ id }: Item): Decision<"blocker.resolved"> {
  return {
    type: "blocker.resolved",
    input: { blocker: id },
    plan(state) {
      const { task_id: task } = undecidedBlocker(state, id);
      return [{ type: "blocker.resolved", payload: { task, blocker: id } }];
    },
  };
}

/** Dismisses a question or a blocker, it alone. @throws Refusal `not_found`, `already_decided` */
export function dismissItem(
  { id }: Item,
  state: State,
): Decision<"question.dismissed" | "blocker.dismissed"> {
  return state.questions.get(id) ? dismissQuestion({ id }) : dismissBlocker({ id });
}

/** Approves what an agent proposed, a task or the gates of a declaration. @throws Refusal as either decision */
export function approveItem({ id }: Item, state: State): Decision {
  return gatesDeclaredAt(state, id).length > 0
    ? decideOnDeclaration({ declared: id, approve: true })
    : approveSuggestion({ id });
}

/** Rejects what an agent proposed, a task or the gates of a declaration. @throws Refusal as either decision */
export function rejectItem({ id }: Item, state: State): Decision {
  return gatesDeclaredAt(state, id).length > 0
    ? decideOnDeclaration({ declared: id, approve: false })
    : rejectSuggestion({ id });
}

/**
 * A human decides on an escalated gate, known by the position of the attempt that escalated it.
 *
 * @throws Refusal `not_found`; `not_possible`: an agent asks for it
 */
export function actOnGateItem({ id, action }: Item & { action: GateAction }): Decision<"gate.acted"> {
  return {
    type: "gate.acted",
    input: { item: id, action },
    permit: (_, actor) => checkNoAgent(actor),
    plan(state) {
      const gate = escalatedGateAt(state, id);
      if (!gate) throw noSuchItem(state, "escalated gate", id);
      return [{ type: "gate.acted", payload: { task: gate.task_id, gate: gate.gate, action } }];
    },
  };
}

/**
 * The agent that contests a task is right: a human sets that task pending.
 *
 * @throws Refusal `not_found`; `already_decided`: the task is to be done again already; `session_open`
 */
export function setContestedPending({ id }: Item): Decision<"task.status_set"> {
  return {
    type: "task.status_set",
    input: { contest: id },
    plan(state) {
      const blocker = state.blockers.get(id);
      if (!blocker?.contests || blocker.depends_on === null) throw noSuchItem(state, "contest", id);
      const { id: task, status } = requireTask(state, blocker.depends_on);
      if (status !== "done" && status !== "skipped") {
        throw new Refusal("already_decided", `Task ${task} is ${status} already: nothing is contested.`);
      }
      return [statusSet(state, { task, status: "pending" })];
    },
  };
}

/**
 * A task that is held after cancelled sessions can be started again: a human sets it pending.
 *
 * @throws Refusal `not_found`, `session_open`
 */
export function releaseHeld({ id }: Item): Decision<"task.status_set"> {
  return {
    type: "task.status_set",
    input: { held: id },
    plan(state) {
      const task = heldAt(state, id);
      if (task === undefined) throw noSuchItem(state, "held task", id);
      return [statusSet(state, { task, status: "pending" })];
    },
  };
}

/** Approves a task that an agent proposed. @throws Refusal `not_found`, `already_decided`, `not_possible` */
export function approveSuggestion({ id }: Item): Decision<"suggestion.approved"> {
  return {
    type: "suggestion.approved",
    input: { suggestion: id },
    plan: (state) => [
      { type: "suggestion.approved", payload: { task: undecidedProposal(state, id), suggestion: id } },
    ],
  };
}

/** @throws Refusal `not_found`, `already_decided`, `not_possible` */
export function rejectSuggestion({ id }: Item): Decision<"suggestion.rejected"> {
  return {
    type: "suggestion.rejected",
    input: { suggestion: id },
    plan(state) {
      return [
        { type: "suggestion.rejected", payload: { task: undecidedProposal(state, id), suggestion: id } },
      ];
    },
  };
}

/**
 * Takes back an answer, a resolution, a dismissal, an approval or a rejection, until the next session of the task
 * starts (rules.md, Humans), or until a gate's command is run.
 *
 * @throws Refusal `not_found`, `nothing_to_do`: no human acted on it; `too_late`
 */
export function undo({ id }: Item, state: State): Decision {
  if (state.questions.get(id)) return undoQuestion(id);
  if (state.blockers.get(id)) return undoBlocker(id);
  return gatesDeclaredAt(state, id).length > 0 ? reopenDeclaration({ declared: id }) : undoSuggestion(id);
}

function dismissQuestion({ id }: Item): Decision<"question.dismissed"> {
  return {
    type: "question.dismissed",
    input: { question: id },
    plan(state) {
      const { task_id: task } = undecidedQuestion(state, id);
      return [{ type: "question.dismissed", payload: { task, question: id } }];
    },
  };
}

function dismissBlocker({ id }: Item): Decision<"blocker.dismissed"> {
  return {
    type: "blocker.dismissed",
    input: { blocker: id },
    plan(state) {
      const { task_id: task } = undecidedBlocker(state, id);
      return [{ type: "blocker.dismissed", payload: { task, blocker: id } }];
    },
  };
}

function undoQuestion(id: number): Decision<"question.reopened"> {
  return {
    type: "question.reopened",
    input: { question: id },
    plan(state) {
      const question = state.questions.get(id);
      if (!question) throw noSuchItem(state, "question", id);
      const task = checkUndo(state, "Question", question);
      return [{ type: "question.reopened", payload: { task, question: id } }];
    },
  };
}

function undoBlocker(id: number): Decision<"blocker.reopened"> {
  return {
    type: "blocker.reopened",
    input: { blocker: id },
    plan(state) {
      const blocker = state.blockers.get(id);
      if (!blocker) throw noSuchItem(state, "blocker", id);
      const task = checkUndo(state, "Blocker", blocker);
      return [{ type: "blocker.reopened", payload: { task, blocker: id } }];
    },
  };
}

function undoSuggestion(id: number): Decision<"suggestion.reopened"> {
  return {
    type: "suggestion.reopened",
    input: { suggestion: id },
    plan(state): PlannedEvent<"suggestion.reopened">[] {
      const suggestion = state.suggestions.get(id);
      if (!suggestion) throw noSuchItem(state, "question, blocker or suggestion", id);
      const task = checkUndo(state, "Suggestion", {
        ...suggestion,
        task_id: suggestion.proposed_task ?? suggestion.task_id,
      });
      return [{ type: "suggestion.reopened", payload: { task, suggestion: id } }];
    },
  };
}

function checkUndo(
  state: State,
  what: string,
  item: { id: number; state: string; task_id: number; acted_at: number | null },
): number {
  if (item.acted_at === null) {
    throw new Refusal(
      "nothing_to_do",
      `${what} ${item.id} is ${item.state}; no act of a human is there to take back.`,
    );
  }
  const task = requireTask(state, item.task_id);
  if (whyFinal(task, item.acted_at)) {
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
  return task.id;
}

/** Whether a prompt was built for a session, and has in it what happened at a position. */
function isInPrompt(state: State, session: string, position: number): boolean {
  const prompt = state.prompts.get(session);
  return prompt !== undefined && z.array(z.int()).parse(JSON.parse(prompt.positions)).includes(position);
}

function undecidedQuestion(state: State, id: number) {
  const question = state.questions.get(id);
  if (!question) throw noSuchItem(state, "question", id);
  requireTask(state, question.task_id);
  if (question.state === "answered" || question.state === "dismissed") throw decided("Question", question);
  return question;
}

function undecidedBlocker(state: State, id: number) {
  const blocker = state.blockers.get(id);
  if (!blocker) throw noSuchItem(state, "blocker", id);
  requireTask(state, blocker.task_id);
  if (blocker.state === "resolved" || blocker.state === "dismissed") throw decided("Blocker", blocker);
  return blocker;
}

/** The draft that the suggestion became. */
function undecidedProposal(state: State, id: number): number {
  const suggestion = state.suggestions.get(id);
  if (!suggestion) throw noSuchItem(state, "suggestion", id);
  if (suggestion.state === "stored" || suggestion.proposed_task === null) {
    throw new Refusal(
      "not_possible",
      `Suggestion ${id} is no task (kind ${suggestion.kind}); it is only kept.`,
    );
  }
  requireTask(state, suggestion.proposed_task);
  if (suggestion.state !== "proposed") throw decided("Suggestion", suggestion);
  return suggestion.proposed_task;
}

function decided(what: string, { id, state }: { id: number; state: string }): Refusal {
  return new Refusal(
    "already_decided",
    `${what} ${id} is ${state} already; \`signalbox inbox undo ${id}\` takes an act back.`,
  );
}
