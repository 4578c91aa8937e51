import type { Gate } from "../../projections/board/tables.ts";
import type { PlannedEvent } from "../decide.ts";
import { Refusal } from "../refusal.ts";
import { requireTask, type State } from "../state.ts";
import { reopened } from "./gates.ts";

/*
 * Gates that an agent declared together are decided together: the gates of one event are one inbox
 * item, identified by the event's position.
 */

/**
 * The gates that an agent declared in the event at this position, decided or not; empty for other
 * events.
 */
export function gatesDeclaredAt(state: Pick<State, "gates">, position: number): Gate[] {
  return state.gates.where({ approval: ["waiting", "approved", "rejected"], declared: position });
}

/**
 * A human approves or rejects the undecided gates of one declaration. @throws Refusal `not_found`,
 * `already_decided`
 */
export function declarationDecided(
  state: State,
  declared: readonly Gate[],
  type: "gate.approved" | "gate.rejected",
): PlannedEvent[] {
  const waiting = thoseOf(state, declared).filter(({ approval }) => approval === "waiting");
  if (waiting.length > 0)
    return waiting.map(({ task_id: task, gate }) => ({ type, payload: { task, gate } }));
  const position = declared[0]?.declared;
  throw new Refusal(
    "already_decided",
    `The gates declared at ${position} are already decided. To undo that, run \`signalbox inbox undo ${position}\`.`,
  );
}

/**
 * Undoes the decisions on the gates of one declaration, all or none.
 *
 * @throws Refusal `not_found`; `nothing_to_do`: all of them wait; `too_late`
 */
export function declarationReopened(state: State, declared: readonly Gate[]): PlannedEvent[] {
  const decided = thoseOf(state, declared).filter(({ approval }) => approval !== "waiting");
  if (decided.length > 0) return decided.map((gate) => reopened(state, gate));
  throw new Refusal(
    "nothing_to_do",
    `The gates declared at ${declared[0]?.declared} are waiting for approval; there is nothing to undo.`,
  );
}

/** The gates, if their task still exists. @throws Refusal `not_found` */
function thoseOf(state: State, declared: readonly Gate[]): readonly Gate[] {
  for (const { task_id } of declared) requireTask(state, task_id);
  return declared;
}
