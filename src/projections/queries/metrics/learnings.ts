import type { ReadModel } from "../../read-model.ts";
import { inGroups, type Scope } from "./scope.ts";
import { most, sum } from "./spread.ts";

/** How often what was learned was told again: a confirmation is each time after the first. */
export function learningFigures(learned: readonly Learned[], scope: Scope) {
  return inGroups(learned, scope.groupOf).map(([group, all]) => {
    const again = all.map(({ confirmations }) => confirmations - 1);
    return {
      group,
      learnings: all.length,
      confirmed: again.filter((times) => times > 0).length,
      confirmations: sum(again),
      most: most(again),
    };
  });
}

/** The learnings that were told again most often, at most ten, in an agent's or a human's words. */
export function mostConfirmed(learned: readonly Learned[], scope: Scope) {
  return learned
    .filter(({ confirmations }) => confirmations > 1)
    .sort((a, b) => b.confirmations - a.confirmations || a.id - b.id)
    .slice(0, 10)
    .map(({ id, text, confirmations, ...learning }) => ({
      group: scope.groupOf(learning),
      text,
      learning: id,
      confirmations: confirmations - 1,
    }));
}

export interface Learned {
  readonly id: number;
  readonly text: string;
  readonly task_id: number | null;
  readonly confirmations: number;
  readonly time: string;
}

/** The learnings that count, by the time at which they were told first. */
export function learnedThings(readModel: ReadModel, scope: Scope): Learned[] {
  return readModel
    .prepared<[], Learned>(LEARNED)
    .all()
    .filter(({ time }) => scope.includes(time));
}

const LEARNED = "SELECT id, text, task_id, confirmations, created AS time FROM learnings ORDER BY id";
