import { sql } from "kysely";
import { AGENT } from "../../events/actors.ts";
import type { Verb } from "../../events/types/signals.ts";
import { fits, type Open, question, type RowOf, type Tables, valuesIn } from "../question.ts";
import type { ReadView } from "../read-view.ts";
import { toFlag } from "../table.ts";

/** Which cards of a task's timeline are wanted; what is absent is not asked for, and all that is given must hold. */
export interface TimelineFilter {
  readonly verbs?: readonly Verb[] | undefined;
  readonly session?: string | undefined;
  /** Whose words: an agent's, or those of anybody else. */
  readonly by?: "agent" | "human" | undefined;
  readonly late?: boolean | undefined;
  /** In what the card says, whatever the letter case. */
  readonly text?: string | undefined;
}

/** Cards that stand together: those from a session's start to its end, or those between two sessions. */
export interface TimelineSection {
  readonly session: SectionSession | null;
  /** The index of its first card among all that the filter lets through, and how many there are. */
  readonly first: number;
  readonly cards: number;
}

/** `cost_micro_usd`: millionths of a US dollar; null where nobody told. */
type SectionSession = RowOf<typeof SESSIONS>;

/** How many cards there are of each kind, whatever the filter. */
export interface CardCount {
  readonly verb: Verb | null;
  readonly by: "agent" | "human";
  readonly late: 0 | 1;
  readonly cards: number;
}

/**
 * Comments and signals of a task as one stream, in the order of their positions, by the sessions in whose course
 * they came. A late signal stands where it came, after its session.
 */
export function timelineSections(
  readModel: ReadView,
  task: number,
  filter: TimelineFilter,
): TimelineSection[] {
  const positions = cardPositions(readModel, task, filter);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const sections: TimelineSection[] = [];
  let next = 0;
  const take = (session: SectionSession | null, before: number) => {
    const first = next;
    while (next < positions.length && (positions[next] ?? before) < before) next++;
    if (next > first || (session && !isFiltered)) sections.push({ session, first, cards: next - first });
  };
  for (const session of readModel.all(SESSIONS, { task })) {
    take(null, session.started_position);
    take(session, (session.ended_position ?? Number.POSITIVE_INFINITY) + 1);
  }
  take(null, Number.POSITIVE_INFINITY);
  return sections;
}

/** The positions of the cards that a filter lets through, ascending. */
export function cardPositions(readModel: ReadView, task: number, filter: TimelineFilter): number[] {
  return readModel.all(POSITIONS, parametersOf(task, filter)).map(({ id }) => id);
}

export function countTimelineCards(readModel: ReadView, task: number): CardCount[] {
  return readModel.all(COUNTS, { task });
}

/** A question of all cards of the task `:task`, which are its table `cards`. Late: see docs/rules.md, Sessions. */
function withCards(tables: Tables, given: Open<{ task: number }>) {
  return tables.with("cards", (all) =>
    all
      .selectFrom("comments")
      .where("task_id", "=", given("task"))
      .select((eb) => [
        "id",
        sql<string | null>`NULL`.as("session_id"),
        sql<Verb | null>`NULL`.as("verb"),
        eb.case().when("actor", "=", AGENT).then<By>("agent").else<By>("human").end().as("by"),
        sql<0 | 1>`0`.as("late"),
        eb.ref("author").$castTo<string | null>().as("author"),
        "actor",
        "body",
        sql<string | null>`NULL`.as("payload"),
        "created",
        "updated",
      ])
      .unionAll(
        all
          .selectFrom("signals as s")
          .leftJoin("sessions as x", "x.id", "s.session_id")
          .where("s.task_id", "=", given("task"))
          .select((eb) => [
            "s.id",
            eb.ref("s.session_id").$castTo<string | null>().as("session_id"),
            eb.ref("s.verb").$castTo<Verb | null>().as("verb"),
            eb.case().when("s.actor", "=", AGENT).then<By>("agent").else<By>("human").end().as("by"),
            eb.fn
              .coalesce(
                eb.or([
                  eb("x.id", "is", null),
                  eb("x.task_id", "<>", eb.ref("s.task_id")),
                  eb("s.id", ">", eb.ref("x.ended_position")),
                ]),
                eb.lit(0),
              )
              .$castTo<0 | 1>()
              .as("late"),
            sql<string | null>`NULL`.as("author"),
            "s.actor",
            "s.body",
            eb.ref("s.payload").$castTo<string | null>().as("payload"),
            "s.created",
            sql<string | null>`NULL`.as("updated"),
          ]),
      ),
  );
}

type By = CardCount["by"];

/** The cards that a filter lets through. */
export function matchingCards(tables: Tables, given: Open<CardValues>) {
  return withCards(tables, given)
    .selectFrom("cards")
    .where((eb) => eb.or([eb(given("verbs"), "is", null), eb("verb", "in", valuesIn<Verb>(given("verbs")))]))
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
  readonly verbs: string | null;
  readonly session: string | null;
  readonly by: By | null;
  readonly late: 0 | 1 | null;
  readonly text: string | null;
};

/** What `matchingCards` takes. */
export function parametersOf(task: number, { verbs, session, by, late, text }: TimelineFilter): CardValues {
  return {
    task,
    verbs: verbs ? JSON.stringify(verbs) : null,
    session: session ?? null,
    by: by ?? null,
    late: late === undefined ? null : toFlag(late),
    text: text?.toLowerCase() ?? null,
  };
}

const POSITIONS = question<CardValues>()((tables, given) =>
  matchingCards(tables, given).select("id").orderBy("id"),
);
const COUNTS = question<{ task: number }>()((tables, given) =>
  withCards(tables, given)
    .selectFrom("cards")
    .select(({ fn }) => ["verb", "by", "late", fn.countAll<number>().as("cards")])
    .groupBy(["verb", "by", "late"]),
);
const SESSIONS = question<{ task: number }>()((tables, given) =>
  tables
    .selectFrom("sessions as s")
    .leftJoin("agents as a", "a.session_id", "s.id")
    .select(["s.id", "s.current_state", "s.exit", "s.closing", "s.inferred", "s.unverified", "s.outcome"])
    .select(["s.started_position", "s.ended_position", "s.started_at", "s.completed_at"])
    .select("a.cost_micro_usd")
    .where("s.task_id", "=", given("task"))
    .orderBy("s.started_position"),
);
