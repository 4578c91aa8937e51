import { sql } from "kysely";
import { toFlag } from "../projections/table.ts";
import { fits, type Open, question, type Tables, valuesIn } from "../read-model/question.ts";
import { type By, type CardKind, factsOf } from "./timeline-facts.ts";

/** Which cards of a task's history are wanted; what is absent is not asked for, and all that is given must hold. */
export interface TimelineFilter {
  /** Cards of any of these kinds; absent: all but the phases, of which a session may have hundreds. */
  readonly kinds?: readonly CardKind[] | undefined;
  readonly session?: string | undefined;
  /** An agent's cards, or those of anybody else. */
  readonly by?: "agent" | "human" | undefined;
  readonly late?: boolean | undefined;
  /** In what the card says, whatever the letter case. */
  readonly text?: string | undefined;
}

/** The cards that a filter lets through, one for each position. */
export function matchingCards(tables: Tables, given: Open<CardValues>) {
  return withCards(tables, given)
    .selectFrom("cards")
    .where((eb) =>
      eb.or([
        eb.and([eb(given("kinds"), "is", null), eb("kind", "<>", "phase")]),
        eb("kind", "in", valuesIn<CardKind>(given("kinds"))),
        eb.and([eb("changed", "=", 1), eb(eb.val("status"), "in", valuesIn<string>(given("kinds")))]),
      ]),
    )
    .where(({ ref }) => fits(ref("session_id"), given("session")))
    .where(({ ref }) => fits(ref("by"), given("by")))
    .where(({ ref }) => fits(ref("late"), given("late")))
    .where((eb) =>
      eb.or([
        eb(given("text"), "is", null),
        eb(sql<number>`instr(lower(${eb.ref("body")}), ${given("text")})`, ">", 0),
      ]),
    );
}

/** What `matchingCards` is asked with; null for what does not matter. */
export type CardValues = {
  readonly task: number;
  /** As JSON. */
  readonly kinds: string | null;
  readonly session: string | null;
  readonly by: "agent" | "human" | null;
  readonly late: 0 | 1 | null;
  readonly text: string | null;
};

/** What `matchingCards` takes. */
export function parametersOf(task: number, { kinds, session, by, late, text }: TimelineFilter): CardValues {
  return {
    task,
    kinds: kinds ? JSON.stringify(kinds) : null,
    session: session ?? null,
    by: by ?? null,
    late: late === undefined ? null : toFlag(late),
    text: text?.toLowerCase() ?? null,
  };
}

/** How many cards there are of each kind, whatever the filter. */
export interface CardCount {
  readonly kind: CardKind;
  readonly by: By;
  readonly late: 0 | 1;
  /** 1 where the event also changed the task's status. */
  readonly changed: 0 | 1;
  readonly cards: number;
}

/** Counts all cards of a task. */
export const COUNTS = question<{ task: number }>()((tables, given) =>
  withCards(tables, given)
    .selectFrom("cards")
    .select(({ fn }) => ["kind", "by", "late", "changed", fn.countAll<number>().as("cards")])
    .groupBy(["kind", "by", "late", "changed"]),
);

/** A question of all cards of the task `:task`, which are its table `cards`. */
function withCards(tables: Tables, given: Open<{ task: number }>) {
  const task = given("task");
  return tables.with("cards", (all) =>
    all
      .selectFrom(factsOf(all, task).as("facts"))
      .selectAll()
      .select(({ eb, selectFrom }) =>
        eb("id", "in", selectFrom("status_changes").select("position").where("task_id", "=", task))
          .$castTo<0 | 1>()
          .as("changed"),
      ),
  );
}
