import type { Priority, TaskStatus } from "../../events/types/fields.ts";
import { takeFitting } from "../../take-fitting.ts";
import { IS_READY } from "../board/status-order.ts";
import type { ReadModel } from "../read-model.ts";
import { type FilterParameters, MATCHING_TASKS, parametersOf, type TaskFilter } from "./tasks.ts";

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
  readModel: ReadModel,
  filter: TaskFilter,
  characters: number,
): { tasks: TaskLine[]; total: number } {
  const given = parametersOf(filter);
  const tasks = takeFitting(linesOf(readModel, given), characters);
  const total = readModel.prepared<FilterParameters, { total: number }>(COUNT).get(given)?.total ?? 0;
  return { tasks: tasks.sort((a, b) => a.id - b.id), total };
}

function* linesOf(readModel: ReadModel, given: FilterParameters): Generator<TaskLine> {
  for (const row of readModel.prepared<FilterParameters, TaskRow>(LINES).iterate(given)) {
    yield { ...row, ready: row.ready === 1, depends_on: JSON.parse(row.depends_on) };
  }
}

type TaskRow = Omit<TaskLine, "ready" | "depends_on"> & { ready: 0 | 1; depends_on: string };

const COUNT = `SELECT count(*) AS total FROM ${MATCHING_TASKS}`;

const LINES = `SELECT id, title, status, priority, feature, discipline,
    ${IS_READY} AS ready, depends_on
  FROM ${MATCHING_TASKS} ORDER BY status IN ('done', 'skipped'), priority_rank, id`;
