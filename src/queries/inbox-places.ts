import { question } from "../read-model/question.ts";
import type { Ranks } from "./inbox-questions.ts";

/*
 * Where items are in the inbox and how many there are, without what is shown of them.
 */

/** The item at a place among those whose ranks are in a range, 0 for the first one. */
export const PLACE = question<{ place: number } & Ranks>()((tables, given) =>
  tables
    .selectFrom("inbox_items")
    .select(["id", "kind"])
    .where("rank", ">=", given("from"))
    .where("rank", "<=", given("to"))
    .orderBy("rank")
    .orderBy("id")
    .orderBy("kind")
    .limit(1)
    .offset(given("place")),
);
/** How many of each kind wait, and how many of them block work. */
export const COUNTS = question()((tables) =>
  tables.selectFrom("inbox_counts").select(["kind", "items", "blocking"]).where("items", ">", 0),
);
/** Which came last. */
export const NEWEST = question()((tables) =>
  tables
    .selectFrom("inbox_items")
    .select(["id", "kind"])
    .where("id", "=", (eb) =>
      eb.selectFrom("inbox_items as last").select(({ fn }) => fn.max("last.id").as("id")),
    )
    .orderBy("kind")
    .limit(1),
);
