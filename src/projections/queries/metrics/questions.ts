import type { ReadModel } from "../../read-model.ts";
import { byGroup, type Group, microsecondsOf, type Scope } from "./scope.ts";
import { median, most, seconds, spreadInSeconds } from "./spread.ts";

/**
 * How long questions waited for a human, blocking ones and others: from the ask to the act that holds. Those that still
 * wait have waited until now. One that became information, since its session went on or ended, waits for nobody.
 */
export function questionFigures(readModel: ReadModel, scope: Scope) {
  const rows = readModel
    .prepared<object, QuestionRow>(questionsByGroup(scope))
    .all({ ...scope.given, now: scope.now });
  return byGroup(rows).map(({ waits, waiting, ...row }) => {
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

interface QuestionRow extends Readonly<Record<"asked" | "answered" | "dismissed" | "informational", number>> {
  readonly group: Group;
  readonly kind: "blocking" | "other";
  /** Lists of times in microseconds. */
  readonly waits: string;
  readonly waiting: string;
}

function inSeconds(time: number | null): number | null {
  return time === null ? null : seconds(time);
}

function questionsByGroup({ groupOf, includes }: Scope): string {
  const asked = microsecondsOf("q.created");
  return `SELECT ${groupOf("q.created", "q.task_id")} AS "group", iif(q.blocking = 1, 'blocking', 'other') AS kind,
    count(*) AS asked,
    count(*) FILTER (WHERE q.state = 'answered') AS answered,
    count(*) FILTER (WHERE q.state = 'dismissed') AS dismissed,
    count(*) FILTER (WHERE q.state = 'informational') AS informational,
    json_group_array(max(0, ${microsecondsOf("a.created")} - ${asked})) FILTER (WHERE a.created IS NOT NULL) AS waits,
    json_group_array(max(0, :now - ${asked})) FILTER (WHERE q.state IN ('open', 'raised')) AS waiting
  FROM questions q LEFT JOIN question_acts a ON a.position = q.acted_at
  WHERE ${includes("q.created")} GROUP BY 1, 2 ORDER BY 2`;
}
