import type { ReadModel } from "../read-model.ts";
import type { repetitionsTable } from "../repetitions.ts";
import type { Row } from "../table.ts";

/** A time that the same was said again, or a gate failed in the same way again. */
export interface Repetition extends Omit<Row<typeof repetitionsTable>, "task_id"> {
  /** True for the last one of a row that nothing has ended yet. */
  readonly lasts: boolean;
}

/** A task that turns in a circle as things stand. */
export interface RepeatingTask {
  readonly task: number;
  readonly title: string;
  readonly kind: Repetition["kind"];
  readonly gate: number;
  readonly times: number;
  /** The position of the last repetition. */
  readonly position: number;
}

/** All repetitions of a task in log order. */
export function taskRepetitions(readModel: ReadModel, task: number): Repetition[] {
  return readModel
    .prepared<[number], Omit<Repetition, "lasts"> & { lasts: 0 | 1 }>(
      `SELECT r.id, r.kind, r.gate, r.repeats, r.times, r.created, l.position IS NOT NULL AS lasts
       FROM repetitions r LEFT JOIN last_said l
         ON l.task_id = r.task_id AND l.kind = r.kind AND l.gate = r.gate AND l.position = r.id
       WHERE r.task_id = ? ORDER BY r.id`,
    )
    .all(task)
    .map((row) => ({ ...row, lasts: row.lasts === 1 }));
}

/** Tasks that are neither done nor skipped and repeat what they said last, those that did so most often first. */
export function repeatingTasks(readModel: ReadModel): RepeatingTask[] {
  return readModel
    .prepared<[], RepeatingTask>(
      `SELECT r.task_id AS task, t.title, r.kind, r.gate, r.times, r.id AS position
       FROM repetitions r
         JOIN last_said l ON l.task_id = r.task_id AND l.kind = r.kind AND l.gate = r.gate AND l.position = r.id
         JOIN tasks t ON t.id = r.task_id
       WHERE t.status NOT IN ('done', 'skipped')
       ORDER BY r.times DESC, r.id`,
    )
    .all();
}
