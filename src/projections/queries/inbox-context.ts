import type { Priority } from "../../events/types/fields.ts";
import type { Verb } from "../../events/types/signals.ts";
import type { ReadModel } from "../read-model.ts";
import type { InboxItem } from "./inbox.ts";
import { firstArgument } from "./signal-text.ts";

/**
 * Since when items wait, by their ids, as far as the tables have it: they do not for gates, whose declaration or attempt
 * the log has. Times are as in the tables.
 */
export function timesOfItems(
  readModel: ReadModel,
  items: readonly Pick<InboxItem, "id">[],
): ReadonlyMap<number, string> {
  const ids = JSON.stringify(items.map(({ id }) => id));
  const rows = readModel.prepared<[string], { id: number; created: string }>(TIMES).all(ids);
  return new Map(rows.map(({ id, created }) => [id, created]));
}

const TIMES = `
  WITH ids AS (SELECT value AS id FROM json_each(?))
  SELECT id, created FROM ids JOIN signals USING (id)
  UNION ALL
  SELECT id, created FROM ids JOIN status_changes ON position = id`;

/** A signal, as a context of an item shows it. */
export interface ToldCard {
  readonly id: number;
  readonly verb: Verb;
  readonly session: string;
  /** The first argument: the summary, the question, … */
  readonly text: string;
}

/** What agents said last on an item's task, other than the item itself, in log order. */
export function toldBefore(
  readModel: ReadModel,
  { id, task }: Pick<InboxItem, "id" | "task">,
  limit: number,
): ToldCard[] {
  return readModel
    .prepared<[number, number, number], Omit<ToldCard, "text"> & { payload: string }>(TOLD)
    .all(task, id, limit)
    .map(({ payload, ...told }) => ({ ...told, text: firstArgument(payload) }))
    .reverse();
}

const TOLD = `
  SELECT id, verb, session_id AS session, payload
  FROM signals WHERE task_id = ? AND id <> ? ORDER BY id DESC LIMIT ?`;

/** What a human may want to change of a draft. */
export interface TaskWords {
  readonly title: string;
  readonly description: string;
  readonly priority: Priority;
  readonly feature: string;
  readonly discipline: string;
  /** Those that there are. */
  readonly features: readonly string[];
  readonly disciplines: readonly string[];
}

/** @returns null where there is no such task */
export function taskWords(readModel: ReadModel, task: number): TaskWords | null {
  const row = readModel
    .prepared<[number], Omit<TaskWords, "features" | "disciplines">>(
      "SELECT title, description, priority, feature, discipline FROM tasks WHERE id = ?",
    )
    .get(task);
  const names = (table: "features" | "disciplines") =>
    readModel
      .prepared<[], { name: string }>(`SELECT name FROM ${table} ORDER BY name`)
      .all()
      .map(({ name }) => name);
  return row ? { ...row, features: names("features"), disciplines: names("disciplines") } : null;
}

/** What waited for a human last, and on which task; null where nothing ever did. */
export function lastWaited(
  readModel: ReadModel,
): { readonly id: number; readonly task: number; readonly time: string } | null {
  return readModel.prepared<[], { id: number; task: number; time: string }>(LAST_WAITED).get() ?? null;
}

/** By their keys, from the end: nothing that was ever said is looked at but the last of each. */
const LAST_WAITED = `
  SELECT id, task_id AS task, created AS time FROM (
    SELECT * FROM (SELECT id, task_id, created FROM questions WHERE blocking = 1 AND late = 0 ORDER BY id DESC LIMIT 1)
    UNION ALL
    SELECT * FROM (SELECT id, task_id, created FROM blockers WHERE late = 0 ORDER BY id DESC LIMIT 1)
    UNION ALL
    SELECT * FROM (SELECT id, task_id, created FROM suggestions WHERE proposed_task IS NOT NULL ORDER BY id DESC LIMIT 1)
    UNION ALL
    SELECT * FROM (SELECT position, task_id, created FROM status_changes WHERE to_status = 'needs_input'
      ORDER BY position DESC LIMIT 1)
  ) ORDER BY id DESC LIMIT 1`;
