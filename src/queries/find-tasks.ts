import { sql } from "kysely";
import type { TaskStatus } from "../events/types/fields.ts";
import { question } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";
import { soughtBy } from "./cards.ts";
import { type Sought, soughtTasks } from "./task-order.ts";

/** A task that a search found. */
export interface FoundTask {
  readonly id: number;
  readonly title: string;
  readonly status: TaskStatus;
}

/**
 * The tasks with a number, or with a text in their titles: first the number, then titles that begin
 * with the text, then the newest.
 */
export function findTasks(readModel: ReadView, text: string, limit: number): FoundTask[] {
  return readModel.all(FOUND, { ...soughtBy({ text }), limit });
}

const FOUND = question<Sought & { limit: number }>()((tables, given) =>
  soughtTasks(tables, given)
    .select(["id", "title", "status"])
    .orderBy(({ ref }) => sql`${ref("id")} IS ${given("number")}`, "desc")
    .orderBy(({ ref }) => sql`instr(${ref("title_folded")}, ${given("text")}) = 1`, "desc")
    .orderBy("id", "desc")
    .limit(given("limit")),
);
