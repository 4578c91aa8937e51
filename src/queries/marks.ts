import { type AliasedExpression, type SelectQueryBuilder, sql } from "kysely";
import { question, type Tables } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";

/** Why a position is worth looking at: a session ended, a human acted, or a task has another status. */
export type MarkKind = "session" | "human" | "status";

/** How many marks there are of a kind. */
interface MarkCount {
  readonly kind: MarkKind;
  readonly marks: number;
}

/** Counts the marks after one position, up to another; a position with several counts for each kind once. */
export function countMarks(
  readModel: ReadView,
  range: { readonly after: number; readonly until: number },
): MarkCount[] {
  return readModel.all(COUNTS, range);
}

/** The nearest marks before and after a position; null where there is none. */
export function marksBeside(
  readModel: ReadView,
  position: number,
): { readonly previous: number | null; readonly next: number | null } {
  return {
    previous: readModel.get(NEAREST.before, { position })?.found ?? null,
    next: readModel.get(NEAREST.after, { position })?.found ?? null,
  };
}

/** The nearest marks before a position, and those from it on, with what they are; in the order of the log. */
export function marksAround(
  readModel: ReadView,
  position: number,
  limit: number,
): { readonly position: number; readonly kinds: readonly MarkKind[] }[] {
  const side = (ones: typeof NEAREST_ONES.before) =>
    readModel
      .all(ones, { position, limit })
      .map(({ position: at, kinds }) => ({ position: at, kinds: kinds.split(",") as MarkKind[] }));
  return [...side(NEAREST_ONES.before).reverse(), ...side(NEAREST_ONES.after)];
}

interface Mark {
  readonly at: number;
  readonly kind: MarkKind;
}
type Marks = AliasedExpression<Mark, "m">;

/** What `part` takes of each table that is kept by position and has marks. */
function ofEach<DB, From extends keyof DB, Row>(
  tables: Tables,
  part: (marks: Marks) => SelectQueryBuilder<DB, From, Row>,
) {
  const changes = tables
    .selectFrom("status_changes")
    .select("position as at")
    .select((eb) =>
      eb
        .case()
        .when("rule", "like", "humans: %")
        .then<MarkKind>("human")
        .when("session_id", "is not", null)
        .then<MarkKind>("session")
        .else<MarkKind>("status")
        .end()
        .as("kind"),
    );
  const acts = tables.selectFrom("question_acts").select("position as at").where("actor", "<>", "agent");
  const acceptances = tables.selectFrom("acceptances").select("position as at");
  const comments = tables.selectFrom("comments").select("id as at").where("actor", "<>", "agent");
  const human = sql<MarkKind>`'human'`.as("kind");
  return part(changes.as("m"))
    .unionAll(part(acts.select(human).as("m")))
    .unionAll(part(acceptances.select(human).as("m")))
    .unionAll(part(comments.select(human).as("m")));
}

const COUNTS = question<{ after: number; until: number }>()((tables, given) => {
  const inRange = ofEach(tables, (marks) =>
    tables.selectFrom(marks).selectAll().where("at", ">", given("after")).where("at", "<=", given("until")),
  );
  return tables
    .selectFrom(inRange.as("m"))
    .select(({ fn }) => ["kind", fn.count<number>("at").distinct().as("marks")])
    .groupBy("kind")
    .orderBy("kind");
});

/** By the indexes of positions: of each table no more is read than the first. */
function nearest(side: "<" | ">") {
  return question<{ position: number }>()((tables, given) => {
    const first = ofEach(tables, (marks) =>
      tables
        .selectFrom(
          tables
            .selectFrom(marks)
            .select("at")
            .where("at", side, given("position"))
            .orderBy("at", side === "<" ? "desc" : "asc")
            .limit(1)
            .as("first"),
        )
        .selectAll(),
    );
    return tables
      .selectFrom(first.as("m"))
      .select(({ fn }) => (side === "<" ? fn.max("at") : fn.min("at")).$castTo<number | null>().as("found"));
  });
}

const NEAREST = { before: nearest("<"), after: nearest(">") };

function nearestOnes(side: "<" | ">=") {
  const order = side === "<" ? "desc" : "asc";
  return question<{ position: number; limit: number }>()((tables, given) => {
    const first = ofEach(tables, (marks) =>
      tables
        .selectFrom(
          tables
            .selectFrom(marks)
            .selectAll()
            .distinct()
            .where("at", side, given("position"))
            .orderBy("at", order)
            .limit(given("limit"))
            .as("first"),
        )
        .selectAll(),
    );
    return tables
      .selectFrom(first.as("m"))
      .select(({ fn }) => ["at as position", fn.agg<string>("group_concat", ["kind"]).distinct().as("kinds")])
      .groupBy("at")
      .orderBy("at", order)
      .limit(given("limit"));
  });
}

const NEAREST_ONES = { before: nearestOnes("<"), after: nearestOnes(">=") };
