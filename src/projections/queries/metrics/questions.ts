import type { Question } from "../../board/tables.ts";
import type { ReadModel } from "../../read-model.ts";
import { inGroups, lasted, type Scope } from "./scope.ts";
import { median, most, seconds, spreadInSeconds } from "./spread.ts";

/**
 * How long questions waited for a human, blocking ones and others: from the ask to the act that holds. Those that still
 * wait have waited until now. One that became information, since its session went on or ended, waits for nobody.
 */
export function questionFigures(readModel: ReadModel, scope: Scope) {
  const asked = readModel
    .prepared<[], Asked>(ASKED)
    .all()
    .filter(({ time }) => scope.includes(time));
  return inGroups(asked, scope.groupOf).flatMap(([group, ofGroup]) =>
    inGroups(ofGroup, ({ blocking }) => (blocking === 1 ? "blocking" : "other")).map(([kind, all]) => {
      const acted = all.filter(({ acted_time }) => acted_time !== null);
      const waiting = all.filter(({ state }) => state === "open" || state === "raised");
      const soFar = waiting.map(({ time }) => lasted(scope, time, null));
      const waits = spreadInSeconds(acted.map(({ time, acted_time }) => lasted(scope, time, acted_time)));
      return {
        group,
        kind,
        asked: all.length,
        answered: all.filter(({ state }) => state === "answered").length,
        dismissed: all.filter(({ state }) => state === "dismissed").length,
        informational: all.filter(({ state }) => state === "informational").length,
        waited_s: waits.total_s,
        median_s: waits.median_s,
        p90_s: waits.p90_s,
        waiting: waiting.length,
        waiting_median_s: inSeconds(median(soFar)),
        waiting_longest_s: inSeconds(most(soFar)),
      };
    }),
  );
}

interface Asked extends Pick<Question, "task_id" | "blocking" | "state"> {
  readonly time: string;
  readonly acted_time: string | null;
}

function inSeconds(time: number | null): number | null {
  return time === null ? null : seconds(time);
}

const ASKED = `SELECT q.task_id, q.blocking, q.state, q.created AS time, a.created AS acted_time
  FROM questions q LEFT JOIN question_acts a ON a.position = q.acted_at ORDER BY q.id`;
