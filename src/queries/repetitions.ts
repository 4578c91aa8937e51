import type { Kysely } from "kysely";
import type { repetitionsTable } from "../projections/repetitions.ts";
import type { Row } from "../projections/table.ts";
import { question, type Schema } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";

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
export function taskRepetitions(readModel: ReadView, task: number): Repetition[] {
  return readModel.all(OF_TASK, { task }).map(({ last, ...row }) => ({ ...row, lasts: last !== null }));
}

/** Tasks that are neither done nor skipped and repeat what they said last, those that did so most often first. */
export function repeatingTasks(readModel: ReadView): RepeatingTask[] {
  return readModel.all(REPEATING, {});
}

/** Every repetition; `l.position` is NULL where something has ended its row since. */
const besideLastSaid = (tables: Kysely<Schema>) =>
  tables
    .selectFrom("repetitions as r")
    .leftJoin("last_said as l", (join) =>
      join
        .onRef("l.task_id", "=", "r.task_id")
        .onRef("l.kind", "=", "r.kind")
        .onRef("l.gate", "=", "r.gate")
        .onRef("l.position", "=", "r.id"),
    );

const OF_TASK = question<{ task: number }>()((tables, given) =>
  besideLastSaid(tables)
    .select(["r.id", "r.kind", "r.gate", "r.repeats", "r.times", "r.created", "l.position as last"])
    .where("r.task_id", "=", given("task"))
    .orderBy("r.id"),
);

const REPEATING = question()((tables) =>
  besideLastSaid(tables)
    .innerJoin("tasks as t", "t.id", "r.task_id")
    .select(["r.task_id as task", "t.title", "r.kind", "r.gate", "r.times", "r.id as position"])
    .where("l.position", "is not", null)
    .where("t.status", "not in", ["done", "skipped"])
    .orderBy("r.times", "desc")
    .orderBy("r.id"),
);
