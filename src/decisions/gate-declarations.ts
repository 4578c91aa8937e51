import type { Gate } from "../projections/board/tables.ts";
import type { Decision } from "./decide.ts";
import { checkNoAgent, reopened } from "./gates.ts";
import { Refusal } from "./refusal.ts";
import { requireTask, type State } from "./state.ts";

/*
 * What an agent declared at once, a human decides on at once: the gates of one event are one item of the inbox, known by
 * the event's position.
 */

/** The gates that an agent declared in the event at this position, whatever a human decided on them; empty for all else. */
export function gatesDeclaredAt(state: Pick<State, "gates">, position: number): Gate[] {
  return state.gates.where({ approval: ["waiting", "approved", "rejected"], declared: position });
}

/**
 * A human approves or rejects the gates of one declaration that still wait for that.
 *
 * @param input the declaration's position
 * @throws Refusal `not_found`; `already_decided`; `not_possible`: an agent asks for it
 */
export function decideOnDeclaration(input: {
  declared: number;
  approve: boolean;
}): Decision<"gate.approved" | "gate.rejected"> {
  const { declared, approve } = input;
  const type = approve ? "gate.approved" : "gate.rejected";
  return {
    type,
    input,
    permit: (_, actor) => checkNoAgent(actor),
    plan(state) {
      const waiting = requireDeclared(state, declared).filter(({ approval }) => approval === "waiting");
      if (waiting.length === 0) {
        throw new Refusal(
          "already_decided",
          `The gates that were declared at ${declared} are decided on already; \`signalbox inbox undo ${declared}\` takes an act back.`,
        );
      }
      return waiting.map(({ task_id: task, gate }) => ({ type, payload: { task, gate } }));
    },
  };
}

/**
 * Takes back what was decided on the gates of one declaration: all of it, or nothing.
 *
 * @throws Refusal `not_found`; `nothing_to_do`: all of them wait; `too_late`; `not_possible`: an agent asks for it
 */
export function reopenDeclaration(input: { declared: number }): Decision<"gate.reopened"> {
  return {
    type: "gate.reopened",
    input,
    permit: (_, actor) => checkNoAgent(actor),
    plan(state) {
      const decided = requireDeclared(state, input.declared).filter(({ approval }) => approval !== "waiting");
      if (decided.length === 0) {
        throw new Refusal(
          "nothing_to_do",
          `The gates that were declared at ${input.declared} wait for approval; no act of a human is there to take back.`,
        );
      }
      return decided.map((gate) => reopened(state, gate));
    },
  };
}

function requireDeclared(state: State, position: number): Gate[] {
  const gates = gatesDeclaredAt(state, position);
  const [first] = gates;
  if (!first) {
    throw new Refusal(
      "not_found",
      `No gates that wait for approval were declared at ${position}; \`signalbox inbox list\` shows what waits for you.`,
    );
  }
  requireTask(state, first.task_id);
  return gates;
}
