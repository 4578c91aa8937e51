import { sql } from "kysely";
import { type Question, question } from "../read-model/question.ts";

/** A word for a command line: what names a thing, and what else to say of it. */
export interface Word {
  readonly value: string | number;
  readonly kind: string | null;
  readonly text: string;
}

/** What names the things of a project, the likeliest first: open ones, and newest ones. */
export const completions = {
  task: question()((tables) =>
    tables
      .selectFrom("tasks")
      .select(["id as value", "status as kind", "title as text"])
      .orderBy("completed_at", (order) => order.asc().nullsFirst())
      .orderBy("id", "desc"),
  ),
  session: question()((tables) =>
    tables
      .selectFrom("sessions as s")
      .leftJoin("tasks as t", "t.id", "s.task_id")
      .select(["s.id as value", "s.outcome as kind"])
      .select(({ fn, val }) => fn.coalesce("t.title", "s.recipe", val("")).as("text"))
      .orderBy("s.outcome", (order) => order.asc().nullsFirst())
      .orderBy("s.started_position", "desc"),
  ),
  item: question()((tables) =>
    tables
      .selectFrom("inbox_items as i")
      .leftJoin("tasks as t", "t.id", "i.task_id")
      .leftJoin("plans as p", (join) => join.on("i.kind", "=", "plan").onRef("p.begun", "=", "i.id"))
      .select(["i.kind"])
      .select(({ fn, ref }) => [
        sql<string | number>`coalesce('plan-' || ${ref("p.plan")}, ${ref("i.id")})`.as("value"),
        fn
          .coalesce("t.title", fn<string>("substr", ["p.text", sql`1`, sql`100`]), sql<string>`''`)
          .as("text"),
      ])
      .orderBy("i.rank")
      .orderBy("i.id"),
  ),
  learning: question()((tables) =>
    tables
      .selectFrom("learnings")
      .select((eb) => ["id as value", eb.val(null).as("kind"), "text"])
      .orderBy("id", "desc"),
  ),
  feature: question()((tables) =>
    tables
      .selectFrom("features")
      .select((eb) => ["name as value", eb.val(null).as("kind"), "display_name as text"])
      .orderBy("name"),
  ),
  discipline: question()((tables) =>
    tables
      .selectFrom("disciplines")
      .select((eb) => ["name as value", eb.val(null).as("kind"), "display_name as text"])
      .orderBy("name"),
  ),
} satisfies Record<string, Question<Record<never, never>, Word>>;
