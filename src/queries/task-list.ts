import type { Priority, TaskStatus } from "../events/types/fields.ts";
import { takeFitting } from "../lib/take-fitting.ts";
import { READY } from "../projections/board/status-order.ts";
import { parseColumn } from "../projections/parse-column.ts";
import { question } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";
import { type FilterParameters, matchingTasks, parametersOf, type TaskFilter } from "./tasks.ts";

/** A task in a list for an agent: enough to choose by, and no more. */
export interface TaskLine {
  readonly id: number;
  readonly title: string;
  readonly status: TaskStatus;
  readonly priority: Priority;
  readonly feature: string;
  readonly discipline: string;
  readonly ready: boolean;
  readonly depends_on: number[];
}

/**
 * Tasks for a reader with little room: as many as take up to `characters` as JSON, in the order of their ids. Where there
 * is no room for all, those come first that are neither done nor skipped, by priority and then by id.
 *
 * @returns the tasks, and how many there are in all
 */
export function fittingTasks(
  readModel: ReadView,
  filter: TaskFilter,
  characters: number,
): { tasks: TaskLine[]; total: number } {
  const given = parametersOf(filter);
  const tasks = takeFitting(linesOf(readModel, given), characters);
  const total = readModel.get(COUNT, given)?.total ?? 0;
  return { tasks: tasks.sort((a, b) => a.id - b.id), total };
}

function* linesOf(readModel: ReadView, given: FilterParameters): Generator<TaskLine> {
  for (const row of readModel.each(LINES, given)) {
    yield { ...row, ready: row.ready === 1, depends_on: parseColumn(row.depends_on) };
  }
}

const COUNT = question<FilterParameters>()((tables, given) =>
  matchingTasks(tables, given).select(({ fn }) => fn.countAll<number>().as("total")),
);

const LINES = question<FilterParameters>()((tables, given) =>
  matchingTasks(tables, given)
    .select(["id", "title", "status", "priority", "feature", "discipline"])
    .select((eb) => eb.and(READY).as("ready"))
    .select("depends_on")
    .orderBy((eb) => eb("status", "in", ["done", "skipped"]))
    .orderBy("priority_rank")
    .orderBy("id"),
);
