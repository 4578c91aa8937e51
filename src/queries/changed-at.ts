import { question } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";

/** Rows that an event added or changed, by their ids. */
export interface ChangedAt {
  readonly tasks: readonly number[];
  readonly sessions: readonly string[];
  readonly learnings: readonly number[];
}

/** Of a read model that has come as far as the event; what the event itself names comes on top. */
export function changedAt(readModel: ReadView, position: number): ChangedAt {
  return {
    tasks: readModel.all(TASKS, { position }).map(({ id }) => id),
    sessions: readModel.all(SESSIONS, { position }).map(({ id }) => id),
    learnings: readModel.all(LEARNINGS, { position }).map(({ id }) => id),
  };
}

const TASKS = question<{ position: number }>()((tables, given) =>
  tables
    .selectFrom("status_changes")
    .select("task_id as id")
    .distinct()
    .where("position", "=", given("position")),
);
const SESSIONS = question<{ position: number }>()((tables, given) =>
  tables.selectFrom("session_states").select("session_id as id").where("position", "=", given("position")),
);
const LEARNINGS = question<{ position: number }>()((tables, given) =>
  tables.selectFrom("learning_sources").select("learning_id as id").where("id", "=", given("position")),
);
