import fc from "fast-check";
import { expect, test } from "vitest";
import { Refusal } from "../../src/decisions/refusal.ts";
import { type State, stateOf } from "../../src/decisions/state.ts";
import { undo } from "../../src/operations/inbox-undo.ts";
import { undoableActs } from "../../src/queries/undoable-acts.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { histories } from "./commands.ts";
import { assertUntil, eventsOf } from "./runs.ts";

/*
 * Three say which acts can be taken back: the list of the inbox, the decision that takes one back, and this test, which looks
 * at sessions and gates instead of what the board keeps of them.
 */
test("the inbox lists exactly the acts that undo accepts, plus those that the running session has read", async () => {
  const seen = { undoable: 0, read: 0, final: 0 };
  await assertUntil(
    fc.asyncProperty(histories, async (history) => {
      const readModel = new ReadModel(":memory:");
      const state = stateOf(readModel);
      for (const event of await eventsOf(history)) {
        readModel.advance([event], event.position);
        const listed = undoableActs(readModel, 1_000);
        const undoable = listed.filter(({ read_by }) => read_by === null).map(({ id }) => id);
        const acts = actsIn(state);
        const expected = acts.filter((act) => canBeTakenBack(state, act)).map(({ id }) => id);
        expect(ascending(undoable), `at ${event.position}`).toEqual(ascending(expected));
        expect(ascending(acts.map(({ id }) => id).filter((id) => isTaken(state, id)))).toEqual(
          ascending(expected),
        );
        for (const { id, position, read_by } of listed.filter((act) => act.read_by !== null)) {
          const { task = 0 } = acts.find((act) => act.id === id) ?? {};
          const since = startsSince(state, task, position);
          expect(since).toMatchObject([{ id: read_by, completed_at: null }]);
          seen.read += 1;
        }
        expect(listed.map(({ position }) => position)).toEqual(
          listed.map(({ position }) => position).toSorted((a, b) => b - a),
        );
        seen.undoable += expected.length;
        seen.final += acts.length - expected.length;
      }
      readModel.close();
    }),
    25,
    () => Object.values(seen).every((times) => times > 0),
  );
});

/** What a human decided on an item that is there, and the first position at which that was. */
interface Act {
  readonly id: number;
  readonly task: number;
  readonly position: number;
  /** A command that was approved has been run, or its task is done. */
  readonly over: boolean;
}

function actsIn(state: State): Act[] {
  const asked = [...state.questions.scan(), ...state.blockers.scan(), ...state.flags.scan()].map((row) => ({
    ...{ id: row.id, task: row.task_id, position: row.acted_at, over: false },
  }));
  const proposed = state.suggestions
    .scan()
    .map((row) => ({ id: row.id, task: row.proposed_task ?? 0, position: row.acted_at, over: false }));
  const declared = new Map<number, Act>();
  for (const gate of state.gates.where({ approval: ["approved", "rejected"] })) {
    const before = declared.get(gate.declared);
    const position = gate.approval_position ?? 0;
    const run = gate.last_position !== null || gate.last_started !== null;
    declared.set(gate.declared, {
      id: gate.declared,
      task: gate.task_id,
      position: Math.min(position, before?.position ?? position),
      over: run || before?.over === true || state.tasks.get(gate.task_id)?.status === "done",
    });
  }
  return [...asked, ...proposed, ...declared.values()].flatMap(({ position, ...act }) =>
    position === null ? [] : [{ ...act, position }],
  );
}

function canBeTakenBack(state: State, { task, position, over }: Act): boolean {
  return !over && state.tasks.get(task) !== undefined && startsSince(state, task, position).length === 0;
}

/** A session that started a draft by force decided on it at the same position. */
function startsSince(state: State, task: number, position: number) {
  return state.sessions.where({ task_id: task }, (session) => session.started_position >= position);
}

function isTaken(state: State, id: number): boolean {
  try {
    return undo({ id }).plan(state).length > 0;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

function ascending(ids: readonly number[]): number[] {
  return ids.toSorted((a, b) => a - b);
}
