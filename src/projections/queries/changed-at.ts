import type { ReadModel } from "../read-model.ts";

/** Rows that an event added or changed, by their ids. */
export interface ChangedAt {
  readonly tasks: readonly number[];
  readonly sessions: readonly string[];
  readonly learnings: readonly number[];
}

/** Of a read model that has come as far as the event; what the event itself names comes on top. */
export function changedAt(readModel: ReadModel, position: number): ChangedAt {
  const ids = <Id>(sql: string) =>
    readModel
      .prepared<{ position: number }, { id: Id }>(sql)
      .all({ position })
      .map(({ id }) => id);
  return {
    tasks: ids<number>("SELECT DISTINCT task_id AS id FROM status_changes WHERE position = :position"),
    sessions: ids<string>("SELECT session_id AS id FROM session_states WHERE position = :position"),
    learnings: ids<number>("SELECT learning_id AS id FROM learning_sources WHERE id = :position"),
  };
}
