import { z } from "zod";
import type { Event } from "../../events/types/index.ts";
import type { IndexedBoard } from "../../projections/board/tables.ts";
import { parseColumn } from "../../projections/parse-column.ts";
import { compareRow } from "./compare-rows.ts";
import { NO_POSITION } from "./other-policy.ts";
import type { FieldDifference, Parting, StatusParting, StatusReason } from "./report.ts";
import type { Written } from "./table-of-two-worlds.ts";

interface TaskParting {
  readonly task: number;
  readonly parts_at: Parting;
  readonly status_parts_at: StatusParting | null;
}

/**
 * Finds where each task diverges: the first event after which one of its rows differs in the other
 * world. Before the lowest of these positions both boards are equal, row by row.
 */
export class Partings {
  readonly #partings = new Map<number, TaskParting>();

  /** The diverging tasks, in the order in which they diverge. */
  list(): TaskParting[] {
    return [...this.#partings.values()];
  }

  /**
   * @param written the rows that either board wrote for this event
   * @param isUnknown whether the task's history is unknown from before this event on: later changes
   * of its status are ignored
   * @returns the tasks with a differing row among these
   */
  look(
    event: Event,
    was: IndexedBoard,
    wouldBe: IndexedBoard,
    written: readonly Written[],
    isUnknown: (task: number) => boolean,
  ): readonly number[] {
    const differences = differencesByTask(was, wouldBe, written);
    for (const [task, fields] of differences) {
      const known = this.#partings.get(task);
      const status = isUnknown(task) ? null : statusParting(event, was, wouldBe, task);
      this.#partings.set(task, {
        task,
        parts_at: known?.parts_at ?? { position: event.position, event: event.type, fields },
        status_parts_at: known?.status_parts_at ?? status,
      });
    }
    return [...differences.keys()];
  }
}

function differencesByTask(
  was: IndexedBoard,
  wouldBe: IndexedBoard,
  written: readonly Written[],
): Map<number, FieldDifference[]> {
  const byTask = new Map<number, FieldDifference[]>();
  for (const row of written) {
    const difference = compareRow(was, wouldBe, row);
    if (!difference) continue;
    const fields = byTask.get(difference.task) ?? [];
    // Both boards may have written the same row.
    const isNew = (one: FieldDifference) =>
      !fields.some(({ table, field }) => table === one.table && field === one.field);
    byTask.set(difference.task, [...fields, ...difference.fields.filter(isNew)]);
  }
  return byTask;
}

function statusParting(
  event: Event,
  was: IndexedBoard,
  wouldBe: IndexedBoard,
  task: number,
): StatusParting | null {
  if (was.tasks.get(task)?.status === wouldBe.tasks.get(task)?.status) return null;
  return {
    position: event.position,
    event: event.type,
    was: reasonOf(was, task),
    would_be: reasonOf(wouldBe, task),
  };
}

/** The task's status on this board, with the cause of its last change. */
function reasonOf(board: IndexedBoard, task: number): StatusReason | null {
  const change = board.statusChanges.where({ task_id: task }).at(-1);
  if (!change || !board.tasks.get(task)) return null;
  const causes = z.array(z.int()).parse(parseColumn(change.causes));
  return {
    status: change.to_status,
    rule: change.rule,
    causes: causes.filter((position) => position !== NO_POSITION),
  };
}
