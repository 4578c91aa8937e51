import fc from "fast-check";
import { expect, test } from "vitest";
import type { Decision } from "../../../src/decisions/decide.ts";
import { Refusal } from "../../../src/decisions/refusal.ts";
import { type State, stateOf } from "../../../src/decisions/state.ts";
import type { Event } from "../../../src/events/types/index.ts";
import { whyImpossible } from "../../../src/history/what-if/possible.ts";
import { catchUp } from "../../../src/read-model/worker.ts";
import { type Command, histories } from "../../properties/commands.ts";
import { execute, openMemoryStore } from "../../properties/executor.ts";
import { decisionOf } from "../../properties/resolve.ts";
import { assertUntil } from "../../properties/runs.ts";

test("what-if calls an event impossible exactly if its decision refuses it on that board", async () => {
  const compared = { possible: 0, impossible: 0 };
  await assertUntil(
    fc.asyncProperty(histories, async (history) => {
      const store = openMemoryStore();
      const state = stateOf(store.readModel);
      const creations = history.project.map((task): Command => ({ do: "create", task }));
      const commands = [...creations, ...history.commands].values();
      await execute(store, history, async (perform) => {
        const { value: command } = commands.next();
        await catchUp(store.readModel, store.log);
        const events = command && hasCondition(command) ? eventsOf(decisionOf(state, command), state) : [];
        const whys = events.map((event) => whyImpossible(state, event));
        const step = await perform();
        if (step.refusal && !(step.refusal instanceof Refusal)) return step;
        for (const [index, why] of whys.entries()) {
          const about = `${JSON.stringify(events[index])} ${step.refusal?.message}`;
          if (step.refusal) expect(why, about).toBeTypeOf("string");
          else expect(why, about).toBeUndefined();
          compared[step.refusal ? "impossible" : "possible"] += 1;
        }
        return step;
      });
      store.readModel.close();
    }),
    25,
    () => Math.min(compared.possible, compared.impossible) > 25,
  );
});

/** Signals and comments are facts; policies and features are what they are on either side. */
function hasCondition(command: Command): command is Exclude<Command, { do: "signal" | "state" }> {
  return !["signal", "state", "comment", "policy", "feature"].includes(command.do);
}

/** The events of a decision; of one that is refused those that it would have been, as far as its input says. */
function eventsOf(decision: Decision, state: State): Event[] {
  try {
    return decision.plan(state).map(({ type, payload }) => ({ type, payload }) as Event);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const payload = payloadOf(decision);
    return payload ? [{ type: decision.type, payload } as Event] : [];
  }
}

/** Undefined where the input names the gates of a declaration, or all of a task, and the payload one of them. */
function payloadOf({ type, input }: Decision): object | undefined {
  if (type === "session.started" && "force" in input) return { ...input, forced: input.force };
  if (type === "gate.declared" && "gates" in input && Array.isArray(input.gates))
    return { ...input, ...input.gates[0], gate: 1 };
  const [, item] = /^(question|blocker|flag|suggestion)\./.exec(type) ?? [];
  if (item && "id" in input) return { ...input, [item]: input.id };
  if (/^gate\.(?:approved|rejected|reopened)$/.test(type) && !("gate" in input)) return undefined;
  return input;
}
