import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import { type TaskStatus, taskStatuses } from "../events/types/fields.ts";
import { READY } from "../projections/board/status-order.ts";
import { fits, type Open, question, type Schema, type Tables } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";

/** Some consecutive tasks of an order: those from a row on, the first one being 0. */
export type Rows = {
  readonly row: number;
  readonly limit: number;
};

/** What a task must be to be among those that are sought; null for what does not matter. */
export type Sought = {
  readonly feature: string | null;
  readonly discipline: string | null;
  readonly rank: number | null;
  /** In lower case. */
  readonly text: string | null;
  /** The id that `text` may be. */
  readonly number: number | null;
};

/** Of columns that an index of the board has. */
export function soughtTasks(tables: Tables, given: Open<Sought>) {
  return tables
    .selectFrom("tasks")
    .where(({ ref }) => fits(ref("feature"), given("feature")))
    .where(({ ref }) => fits(ref("discipline"), given("discipline")))
    .where(({ ref }) => fits(ref("priority_rank"), given("rank")))
    .where((eb) =>
      eb.or([
        eb(given("text"), "is", null),
        sql<SqlBool>`${eb.ref("id")} = ${given("number")}`,
        sql<SqlBool>`instr(${eb.ref("title_folded")}, ${given("text")}) > 0`,
      ]),
    );
}

/** The ids of some tasks of a status, in the order in which a board shows them. @param sought absent: all of them */
export function idsInOrder(
  readModel: ReadView,
  status: TaskStatus,
  { row, limit }: Rows,
  sought?: Sought,
): number[] {
  const found: number[] = [];
  let skipped = row;
  const parts = PARTS[status];
  for (const [nth, part] of parts.entries()) {
    const { ids, count } = sought ? part.sought : part.all;
    const given = { ...(sought ?? ANY), limit: limit - found.length, skipped };
    found.push(...readModel.all(ids, given).map(({ id }) => id));
    if (found.length === limit || nth === parts.length - 1) break;
    if (found.length === 0 && skipped > 0) skipped -= readModel.get(count, given)?.tasks ?? 0;
    else skipped = 0;
  }
  return found;
}

const ANY: Sought = { feature: null, discipline: null, rank: null, text: null, number: null };

type Condition = (task: ExpressionBuilder<Schema, "tasks">) => Expression<SqlBool>;

/**
 * The parts of a status in the order in which a board shows its tasks: of pending those that are ready come first, the next one
 * first of all; of those that are over the latest; of others by id.
 */
function partsOf(status: TaskStatus) {
  if (status !== "pending") return [partOf(status, (task) => task("status", "=", status))];
  // Each part by itself can be read in its order from an index.
  return [
    partOf(status, (task) => task.and(READY)),
    partOf(status, (task) => task.and([task("status", "=", status), task.not(task.and(READY))])),
  ];
}

function partOf(status: TaskStatus, isIn: Condition) {
  return { all: questionsOf(status, isIn, false), sought: questionsOf(status, isIn, true) };
}

function questionsOf(status: TaskStatus, isIn: Condition, isSought: boolean) {
  // A title is read from an index that is in another order: the ids that are sought first, then the order.
  const among = (tables: Tables, given: Open<Sought>) =>
    tables
      .selectFrom("tasks")
      .where(isIn)
      .$if(isSought, (some) => some.where("id", "in", soughtTasks(tables, given).where(isIn).select("id")));
  return {
    ids: question<Sought & { limit: number; skipped: number }>()((tables, given) =>
      inOrder(status, among(tables, given).select("id")).limit(given("limit")).offset(given("skipped")),
    ),
    count: question<Sought>()((tables, given) =>
      among(tables, given).select(({ fn }) => fn.countAll<number>().as("tasks")),
    ),
  };
}

function inOrder<Row>(status: TaskStatus, some: SelectQueryBuilder<Schema, "tasks", Row>) {
  switch (status) {
    case "pending":
      return some.orderBy("priority_rank").orderBy("id");
    case "done":
    case "skipped":
      // By the index of ends: of what is done when it became so, of what is skipped, which has no such time, its last change.
      return some.orderBy("completed_at", "desc").orderBy("updated", "desc").orderBy("id", "desc");
    default:
      return some.orderBy("id");
  }
}

// An entry for each status.
const PARTS = Object.fromEntries(taskStatuses.map((status) => [status, partsOf(status)])) as Record<
  TaskStatus,
  ReturnType<typeof partsOf>
>;
