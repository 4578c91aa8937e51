import { question, valuesIn } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";

/** The titles of those of these tasks that exist. */
export function taskTitles(readModel: ReadView, ids: readonly number[]) {
  return readModel.all(TITLES, { ids: JSON.stringify(ids) });
}

const TITLES = question<{ ids: string }>()((tables, given) =>
  tables
    .selectFrom("tasks")
    .select(["id", "title"])
    .where("id", "in", valuesIn<number>(given("ids")))
    .orderBy("id"),
);
