import { sql } from "kysely";
import { question } from "../../question.ts";
import type { ReadModel } from "../../read-model.ts";
import {
  byGroup,
  FIRST,
  isIn,
  microsecondsOf,
  perScope,
  type Scope,
  type ScopeValues,
  SECOND,
} from "./scope.ts";
import { median, most, seconds, spreadInSeconds } from "./spread.ts";

/**
 * How long questions waited for a human, blocking ones and others: from the ask to the act that holds. Those that still
 * wait have waited until now. One that became information, since its session went on or ended, waits for nobody.
 */
export function questionFigures(readModel: ReadModel, scope: Scope) {
  return byGroup(readModel.all(questionsByGroup(scope), scope.given)).map(({ waits, waiting, ...row }) => {
    const { total_s, median_s, p90_s } = spreadInSeconds(JSON.parse(waits));
    const soFar: number[] = JSON.parse(waiting);
    return {
      ...row,
      waited_s: total_s,
      median_s,
      p90_s,
      waiting: soFar.length,
      waiting_median_s: inSeconds(median(soFar)),
      waiting_longest_s: inSeconds(most(soFar)),
    };
  });
}

function inSeconds(time: number | null): number | null {
  return time === null ? null : seconds(time);
}

/** `waits` and `waiting`: lists of times in microseconds. */
const questionsByGroup = perScope(({ groupOf }) =>
  question<ScopeValues>()((tables, given) =>
    tables
      .selectFrom("questions as q")
      .leftJoin("question_acts as a", "a.position", "q.acted_at")
      .where(({ ref }) => isIn(given, ref("q.created")))
      .select(({ fn, ref }) => {
        const count = fn.countAll<number>();
        const asked = microsecondsOf(ref("q.created"));
        const waited = sql<number>`max(0, ${microsecondsOf(ref("a.created"))} - ${asked})`;
        const waiting = sql<number>`max(0, ${given("now")} - ${asked})`;
        return [
          groupOf(tables, ref("q.created"), ref("q.task_id")).as("group"),
          sql<"blocking" | "other">`iif(${ref("q.blocking")} = 1, 'blocking', 'other')`.as("kind"),
          count.as("asked"),
          count.filterWhere("q.state", "=", "answered").as("answered"),
          count.filterWhere("q.state", "=", "dismissed").as("dismissed"),
          count.filterWhere("q.state", "=", "informational").as("informational"),
          fn.agg<string>("json_group_array", [waited]).filterWhere("a.created", "is not", null).as("waits"),
          fn
            .agg<string>("json_group_array", [waiting])
            .filterWhere("q.state", "in", ["open", "raised"])
            .as("waiting"),
        ];
      })
      .groupBy([FIRST, SECOND])
      .orderBy("kind"),
  ),
);
