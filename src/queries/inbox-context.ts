import type { Priority } from "../events/types/fields.ts";
import type { Verb } from "../events/types/signals.ts";
import { question, rowsIn } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";
import type { InboxItem } from "./inbox-item.ts";
import { firstArgument } from "./signal-text.ts";

/**
 * Since when items wait, by their ids, as far as the tables have it: they do not for gates, whose declaration or attempt
 * the log has. Times are as in the tables.
 */
export function timesOfItems(
  readModel: ReadView,
  items: readonly Pick<InboxItem, "id">[],
): ReadonlyMap<number, string> {
  const ids = JSON.stringify(items.map(({ id }) => id));
  return new Map(readModel.all(TIMES, { ids }).map(({ id, created }) => [id, created]));
}

const TIMES = question<{ ids: string }>()((tables, given) =>
  tables
    .with("ids", (all) => all.selectFrom(rowsIn<number>(given("ids")).as("i")).select("i.value as id"))
    .selectFrom("ids")
    .innerJoin("signals as s", "s.id", "ids.id")
    .select(["s.id", "s.created"])
    .unionAll((all) =>
      all
        .selectFrom("ids")
        .innerJoin("status_changes as c", "c.position", "ids.id")
        .select(["ids.id", "c.created"]),
    ),
);

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
  readModel: ReadView,
  { id, task }: Pick<InboxItem, "id" | "task">,
  limit: number,
): ToldCard[] {
  return readModel
    .all(TOLD, { task, id, limit })
    .map(({ payload, ...told }) => ({ ...told, text: firstArgument(payload) }))
    .reverse();
}

const TOLD = question<{ task: number; id: number; limit: number }>()((tables, given) =>
  tables
    .selectFrom("signals")
    .select(["id", "verb", "session_id as session", "payload"])
    .where("task_id", "=", given("task"))
    .where("id", "<>", given("id"))
    .orderBy("id", "desc")
    .limit(given("limit")),
);

/** What a human may want to change of a draft. */
export interface TaskWords {
  readonly title: string;
  readonly description: string;
  readonly priority: Priority;
  readonly feature: string;
  readonly discipline: string;
}

/** @returns null where there is no such task */
export function taskWords(readModel: ReadView, task: number): TaskWords | null {
  return readModel.get(WORDS, { task }) ?? null;
}

const WORDS = question<{ task: number }>()((tables, given) =>
  tables
    .selectFrom("tasks")
    .select(["title", "description", "priority", "feature", "discipline"])
    .where("id", "=", given("task")),
);

/** What waited for a human last, and on which task; null where nothing ever did. */
export function lastWaited(
  readModel: ReadView,
): { readonly id: number; readonly task: number; readonly time: string } | null {
  return readModel.get(LAST_WAITED, {}) ?? null;
}

/** By their keys, from the end: nothing that was ever said is looked at but the last of each. */
const LAST_WAITED = question()((tables) => {
  const questions = tables
    .selectFrom("questions")
    .select(["id", "task_id as task", "created as time"])
    .where("blocking", "=", 1)
    .where("late", "=", 0)
    .orderBy("id", "desc")
    .limit(1);
  const blockers = tables
    .selectFrom("blockers")
    .select(["id", "task_id as task", "created as time"])
    .where("late", "=", 0)
    .orderBy("id", "desc")
    .limit(1);
  const suggestions = tables
    .selectFrom("suggestions")
    .select(["id", "task_id as task", "created as time"])
    .where("proposed_task", "is not", null)
    .orderBy("id", "desc")
    .limit(1);
  const changes = tables
    .selectFrom("status_changes")
    .select(["position as id", "task_id as task", "created as time"])
    .where("to_status", "=", "needs_input")
    .orderBy("position", "desc")
    .limit(1);
  const last = tables
    .selectFrom(questions.as("q"))
    .selectAll()
    .unionAll(tables.selectFrom(blockers.as("b")).selectAll())
    .unionAll(tables.selectFrom(suggestions.as("s")).selectAll())
    .unionAll(tables.selectFrom(changes.as("c")).selectAll());
  return tables.selectFrom(last.as("w")).selectAll().orderBy("id", "desc").limit(1);
});
