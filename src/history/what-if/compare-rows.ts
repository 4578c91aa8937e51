import { type Board, boardTables } from "../../projections/board/tables.ts";
import type { Key } from "../../projections/rows.ts";
import type { FieldDifference } from "./report.ts";
import type { TableName, Written } from "./table-of-two-worlds.ts";

/** The tables whose rows belong to a task. The board's other tables follow from these. */
const COMPARED = [
  "tasks",
  "dependencies",
  "sessions",
  "questions",
  "blockers",
  "suggestions",
  "gates",
  "statusChanges",
] as const satisfies readonly TableName[];
type ComparedTable = (typeof COMPARED)[number];

/** A row that differs in the other world, and the task that it belongs to. */
export interface RowDifference {
  readonly task: number;
  readonly fields: readonly FieldDifference[];
}

/** How a written row differs between two boards; undefined if it does not. */
export function compareRow(was: Board, wouldBe: Board, { table, key }: Written): RowDifference | undefined {
  const compared = COMPARED.find((name) => name === table.name);
  if (!compared) return undefined;
  const [before, after] = [rowOf(was, compared, key), rowOf(wouldBe, compared, key)];
  const task = taskOf(compared, before ?? after, key);
  if (before === undefined || after === undefined) {
    if (before === after) return undefined;
    const [is, would_be] = [before, after].map((row) => (row ? "there" : "not there"));
    return {
      task,
      fields: [{ table: nameOf(compared), field: null, was: is ?? "", would_be: would_be ?? "" }],
    };
  }
  const fields = Object.keys(before)
    .filter((field) => before[field] !== after[field] && !IGNORED.has(`${compared}.${field}`))
    .map((field) => ({
      table: nameOf(compared),
      field,
      was: before[field] ?? null,
      would_be: after[field] ?? null,
    }));
  return fields.length > 0 ? { task, fields } : undefined;
}

/**
 * Columns that are not compared: causes, since what-if's own policies have no event, and columns that
 * repeat the task's priority or stuck count.
 */
const IGNORED: ReadonlySet<string> = new Set([
  "statusChanges.causes",
  "sessions.stuck_count",
  "tasks.priority_rank",
]);

type AnyRow = Readonly<Record<string, Key | null>>;

function rowOf(board: Board, table: ComparedTable, key: readonly Key[]): AnyRow | undefined {
  return board[table].get(...key);
}

function taskOf(table: ComparedTable, row: AnyRow | undefined, key: readonly Key[]): number {
  return Number(table === "tasks" ? key[0] : row?.task_id);
}

function nameOf(table: ComparedTable): string {
  return boardTables[table].name;
}
