import { policyCauses, policyValue } from "./policies.ts";
import type { Board, Gate } from "./tables.ts";

/** The passed gates of a task of which a human is asked, since they pass without its work (docs/gates.md, A gate that proves something). */
export function unprovenToAsk(board: Pick<Board, "policies" | "gates">, taskId: number): Gate[] {
  const policy = policyValue(board, "gates.unproven");
  // One that a human has skipped counts as another one.
  const gates = board.gates.where({ task_id: taskId });
  const unproven = gates.filter(isUnproven);
  const isAsked = policy === "ask" || (policy === "ask_if_alone" && unproven.length === gates.length);
  return isAsked ? unproven : [];
}

/** It has passed, and passes without the work. */
export function isUnproven({ state, before, without }: Gate): boolean {
  return state === "passed" && (without ?? before) === "passed";
}

/** The runs by which they are unproven, and the policy. */
export function unprovenCauses(board: Board, gates: readonly Gate[]): number[] {
  const runs = gates.flatMap(({ before_position, without, without_position }) => {
    return (without === null ? before_position : without_position) ?? [];
  });
  return gates.length === 0 ? [] : [...runs, ...policyCauses(board, "gates.unproven")];
}
