import { sql } from "kysely";
import type { MergeRow } from "../projections/board/merge-tables.ts";
import { parseColumn } from "../projections/parse-column.ts";
import { fits, question } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";

/** A task's merge, for people and drivers. */
export interface MergeView extends Omit<MergeRow, "files" | "commands"> {
  readonly task_title: string;
  readonly task_status: string;
  /** Its place in the queue, 1 for the next; null where it is not in it. */
  readonly place: number | null;
  readonly files: readonly string[];
  readonly commands: readonly string[];
}

/** The merges of tasks: the queue first, in its order, then by task. */
export function listMerges(readModel: ReadView): MergeView[] {
  return readModel.all(MERGES, {}).map(({ files, commands, ...row }) => ({
    ...row,
    files: parseColumn(files),
    commands: parseColumn(commands),
  }));
}

export interface Landing {
  readonly task: number;
  readonly base: string;
  /** The last one of the task's branch, as it was. */
  readonly commit: string;
  /** The last ones of the base, before and after. */
  readonly from: string;
  readonly to: string;
}

/** What landed of each task, the last first. */
export function landingsOf(readModel: ReadView, task?: number): Landing[] {
  return readModel.all(LANDINGS, { task: task ?? null });
}

const LANDINGS = question<{ task: number | null }>()((tables, given) =>
  tables
    .selectFrom("landings")
    .select(["task_id as task", "base", "commit_id as commit"])
    .select(["from_commit as from", "to_commit as to"])
    .where(({ ref }) => fits(ref("task_id"), given("task")))
    .orderBy("position", "desc"),
);

const MERGES = question()((tables) =>
  tables
    .selectFrom("merges as m")
    .innerJoin("tasks as t", "t.id", "m.task_id")
    .selectAll("m")
    .select(["t.title as task_title", "t.status as task_status"])
    .select((eb) => {
      const isInQueue = eb("m.state", "in", ["queued", "running"]);
      const order = sql`${eb("m.state", "<>", "running")}, ${eb.ref("m.queued")}`;
      const place = sql<number>`row_number() OVER (PARTITION BY ${isInQueue} ORDER BY ${order})`;
      return eb.case().when(isInQueue).then(place).end().as("place");
    })
    .orderBy("place", (order) => order.asc().nullsLast())
    .orderBy("m.task_id"),
);
