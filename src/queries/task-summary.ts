import { type Gate, gates } from "../projections/board/tables.ts";
import type { ReadView } from "../read-model/read-view.ts";
import { type Card, findCard } from "./cards.ts";
import { type Neighbours, neighboursOf } from "./neighbours.ts";
import { taskInShort } from "./task-trouble.ts";
import { findTask, type TaskView } from "./tasks.ts";

/** What a task is, without what was said on it: enough to decide whether to open it. */
export interface TaskSummary
  extends Pick<TaskView, "description" | "criteria" | "hints" | "remaining" | "accept" | "proof"> {
  readonly card: Card;
  /** Why it is in its state, in one sentence; null where nothing is wrong with it. */
  readonly in_short: string | null;
  readonly neighbours: Neighbours;
  readonly gates: readonly Pick<
    Gate,
    "gate" | "command" | "state" | "approval" | "attempts" | "max_attempts"
  >[];
}

/**
 * @param limit how many tasks beside it are shown at most
 * @returns undefined where there is no such task
 */
export function taskSummary(readModel: ReadView, id: number, limit: number): TaskSummary | undefined {
  const task = findTask(readModel, id);
  const card = findCard(readModel, id);
  const neighbours = neighboursOf(readModel, id, limit);
  if (!task || !card || !neighbours) return undefined;
  const { description, criteria, hints, remaining, accept, proof } = task;
  return {
    card,
    in_short: taskInShort(readModel, id),
    description,
    criteria,
    hints,
    remaining,
    accept,
    proof,
    neighbours,
    gates: readModel
      .rowsOf({ gates })
      .gates.where({ task_id: id })
      .map(({ gate, command, state, approval, attempts, max_attempts }) => ({
        gate,
        command,
        state,
        approval,
        attempts,
        max_attempts,
      })),
  };
}
