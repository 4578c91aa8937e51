import { type TaskStatus, taskStatuses } from "../events/types/fields.ts";
import { READY } from "../projections/board/status-order.ts";
import { question, rowsIn } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";
import { idsInOrder } from "./task-order.ts";
import { countReady, countTasks } from "./tasks.ts";

/** The board at a glance: of each status its first tasks. It is never larger than its limits, however many tasks there are. */
export interface Board {
  /** Ids of tasks that could be started now, the next one first; `more_ready` are left out. */
  readonly ready: readonly number[];
  readonly more_ready: number;
  /** Those that some task has, in the order of docs/rules.md, Task statuses. */
  readonly statuses: readonly BoardColumn[];
}

interface BoardColumn {
  readonly status: TaskStatus;
  readonly count: number;
  /** Of pending those that are ready come first, the next one first of all; of done and skipped the latest, of others by id. */
  readonly tasks: readonly BoardTask[];
  /** How many are left out. */
  readonly more: number;
}

interface BoardTask {
  readonly id: number;
  readonly title: string;
  readonly priority: string;
  readonly feature: string;
  readonly discipline: string;
  /** How many tasks it waits for. */
  readonly open_dependencies: number;
  /** How many of its gates a human has to approve before it is ready. */
  readonly unapproved_gates: number;
  /** Since when it is not started again by itself, as sessions in a row were cancelled; 0 where it can be. */
  readonly held_at: number;
  readonly open_session: string | null;
}

/** @param limit how many tasks of each status, and how many ready ones, there are at most */
export function boardOf(readModel: ReadView, limit: number): Board {
  const counts = countTasks(readModel);
  const ready = readModel.all(READY_FIRST, { limit });
  return {
    ready: ready.map(({ id }) => id),
    more_ready: countReady(readModel) - ready.length,
    statuses: taskStatuses.flatMap((status) => {
      const count = counts[status] ?? 0;
      if (count === 0) return [];
      const tasks = tasksOf(readModel, status, limit);
      return [{ status, count, tasks, more: count - tasks.length }];
    }),
  };
}

const READY_FIRST = question<{ limit: number }>()((tables, given) =>
  tables
    .selectFrom("tasks")
    .select("id")
    .where((eb) => eb.and(READY))
    .orderBy("priority_rank")
    .orderBy("id")
    .limit(given("limit")),
);

function tasksOf(readModel: ReadView, status: TaskStatus, limit: number): BoardTask[] {
  return readModel.all(OF_IDS, { ids: JSON.stringify(idsInOrder(readModel, status, { row: 0, limit })) });
}

const OF_IDS = question<{ ids: string }>()((tables, given) =>
  tables
    .selectFrom(rowsIn<number>(given("ids")).as("i"))
    .crossJoin("tasks as t")
    .whereRef("t.id", "=", "i.value")
    .select(["t.id", "t.title", "t.priority", "t.feature", "t.discipline"])
    .select(["t.open_dependencies", "t.unapproved_gates", "t.held_at", "t.open_session"])
    .orderBy("i.key"),
);
