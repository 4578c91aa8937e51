import { sql } from "kysely";
import type { Microseconds } from "../../lib/time.ts";
import type { Question } from "../../projections/board/tables.ts";
import { question } from "../../read-model/question.ts";
import type { ReadView } from "../../read-model/read-view.ts";
import { columnsByGroup } from "./columns.ts";
import { packed } from "./packed.ts";
import { inGroups, isIn, microsecondsOf, perScope, type Scope, type ScopeValues } from "./scope.ts";
import { countEach, median, most, present, seconds, spreadInSeconds } from "./spread.ts";

/**
 * How long questions waited for a human, blocking ones and others: from the ask to the act that holds. Those that still
 * wait have waited until now. One that became information, since its session went on or ended, waits for nobody.
 */
export function questionFigures(readModel: ReadView, scope: Scope) {
  return columnsByGroup(readModel, scope, questionsOf(scope)).flatMap(({ group, questions }) =>
    inGroups(questions, ([kind]) => kind).map(([kind, asked]) => {
      const states = countEach(asked.map(([, state]) => state));
      const waits = asked.map(([, , from, until]) => until && Math.max(0, until - from));
      const waiting = asked
        .filter(([, state]) => state === "open" || state === "raised")
        .map(([, , from]) => Math.max(0, scope.given.now - from));
      const { total_s, median_s, p90_s } = spreadInSeconds(present(waits));
      return {
        group,
        kind,
        asked: asked.length,
        answered: states.get("answered") ?? 0,
        dismissed: states.get("dismissed") ?? 0,
        informational: states.get("informational") ?? 0,
        waited_s: total_s,
        median_s,
        p90_s,
        waiting: waiting.length,
        waiting_median_s: inSeconds(median(waiting)),
        waiting_longest_s: inSeconds(most(waiting)),
      };
    }),
  );
}

function inSeconds(time: number | null): number | null {
  return time === null ? null : seconds(time);
}

type PackedQuestion = readonly [
  kind: "blocking" | "other",
  state: Question["state"],
  asked: Microseconds,
  acted: Microseconds | null,
];

const questionsOf = perScope(({ keysOf }) =>
  question<ScopeValues>()((tables, given) =>
    tables
      .selectFrom("questions as q")
      .leftJoin("question_acts as a", "a.position", "q.acted_at")
      .where(({ ref }) => isIn(given, ref("q.created")))
      .select(({ ref }) => {
        const [asked, acted] = [microsecondsOf(ref("q.created")), microsecondsOf(ref("a.created"))];
        const kind = sql`iif(${ref("q.blocking")} = 1, 'blocking', 'other')`;
        return [
          keysOf(ref("q.created"), ref("q.task_id")).as("keys"),
          packed(sql<PackedQuestion>`json_array(${kind}, ${ref("q.state")}, ${asked}, ${acted})`).as(
            "questions",
          ),
        ];
      }),
  ),
);
