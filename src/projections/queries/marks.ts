import type { ReadModel } from "../read-model.ts";

/** Why a position is worth looking at: a session ended, a human acted, or a task has another status. */
export type MarkKind = "session" | "human" | "status";

/** How many marks of each kind lie in one of the equal parts of a range of positions. */
export interface MarkCount {
  /** From 0. */
  readonly part: number;
  readonly kind: MarkKind;
  readonly marks: number;
}

/**
 * Counts marks by parts of a range; a position with several counts for each kind once.
 *
 * @param from the range begins after this position, and ends with `to`
 */
export function countMarks(
  readModel: ReadModel,
  range: { readonly from: number; readonly to: number; readonly parts: number },
): MarkCount[] {
  return readModel.prepared<typeof range, MarkCount>(COUNTS).all(range);
}

/** The nearest marks before and after a position; null where there is none. */
export function marksBeside(
  readModel: ReadModel,
  position: number,
): { readonly previous: number | null; readonly next: number | null } {
  const before = readModel.prepared<{ position: number }, { found: number | null }>(nearest("<", "max"));
  const after = readModel.prepared<{ position: number }, { found: number | null }>(nearest(">", "min"));
  return {
    previous: before.get({ position })?.found ?? null,
    next: after.get({ position })?.found ?? null,
  };
}

/** The nearest marks before a position, and those from it on, with what they are; in the order of the log. */
export function marksAround(
  readModel: ReadModel,
  position: number,
  limit: number,
): { readonly position: number; readonly kinds: readonly MarkKind[] }[] {
  const given = { position, limit };
  const side = (compared: "<" | ">=", order: "ASC" | "DESC") =>
    readModel
      .prepared<typeof given, { position: number; kinds: string }>(nearestOnes(compared, order))
      .all(given)
      .map(({ position: at, kinds }) => ({ position: at, kinds: kinds.split(",") as MarkKind[] }));
  return [...side("<", "DESC").reverse(), ...side(">=", "ASC")];
}

function nearestOnes(compared: "<" | ">=", order: "ASC" | "DESC"): string {
  const each = SOURCES.map(
    ({ table, position, where }) =>
      `SELECT * FROM (SELECT DISTINCT ${position} AS at, ${table === "status_changes" ? KIND_OF_STATUS_CHANGE : "'human'"} AS kind FROM ${table}
       WHERE ${position} ${compared} :position AND ${where} ORDER BY ${position} ${order} LIMIT :limit)`,
  );
  return `SELECT at AS position, group_concat(DISTINCT kind) AS kinds FROM (${each.join(" UNION ALL ")})
    GROUP BY at ORDER BY at ${order} LIMIT :limit`;
}

/** Tables that are kept by position, and which of their rows are marks. */
const SOURCES = [
  { table: "status_changes", position: "position", where: "true" },
  { table: "question_acts", position: "position", where: "actor <> 'agent'" },
  { table: "acceptances", position: "position", where: "true" },
  { table: "comments", position: "id", where: "actor <> 'agent'" },
] as const;

const KIND_OF_STATUS_CHANGE = `CASE WHEN rule LIKE 'humans: %' THEN 'human'
  WHEN session_id IS NOT NULL THEN 'session' ELSE 'status' END`;

const COUNTS = `SELECT CAST((at - :from - 1) * :parts / (:to - :from) AS INTEGER) AS part, kind, count(DISTINCT at) AS marks FROM (
  ${SOURCES.map(
    ({ table, position, where }) =>
      `SELECT ${position} AS at, ${table === "status_changes" ? KIND_OF_STATUS_CHANGE : "'human'"} AS kind FROM ${table}
       WHERE ${position} > :from AND ${position} <= :to AND ${where}`,
  ).join(" UNION ALL ")}
) GROUP BY part, kind ORDER BY part, kind`;

function nearest(side: "<" | ">", pick: "min" | "max"): string {
  const each = SOURCES.map(
    ({ table, position, where }) =>
      `SELECT * FROM (SELECT ${position} AS at FROM ${table} WHERE ${position} ${side} :position AND ${where}
       ORDER BY ${position} ${pick === "min" ? "ASC" : "DESC"} LIMIT 1)`,
  );
  return `SELECT ${pick}(at) AS found FROM (${each.join(" UNION ALL ")})`;
}
