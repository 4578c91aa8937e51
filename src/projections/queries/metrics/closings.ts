import type { Session } from "../../board/tables.ts";
import type { ReadModel } from "../../read-model.ts";
import { inGroups, type Scope } from "./scope.ts";

/** With what sessions closed, in each period by their end. */
export function closingFigures(readModel: ReadModel, scope: Scope) {
  const closed = readModel
    .prepared<[], Closed>(CLOSED)
    .all()
    .filter(({ time }) => scope.includes(time));
  return inGroups(closed, scope.groupOf).flatMap(([group, ofGroup]) =>
    inGroups(ofGroup, ({ time }) => scope.periodOf(time)).map(([period, all]) => {
      const count = (fits: (one: Closed) => boolean) => all.filter(fits).length;
      return {
        group,
        period,
        ended: all.length,
        done: count(({ closing, unverified }) => closing === "done" && unverified === 0),
        unverified: count(({ closing, unverified }) => closing === "done" && unverified === 1),
        partial: count(({ closing }) => closing === "partial"),
        stuck: count(({ closing, inferred }) => closing === "stuck" && inferred === 0),
        inferred_stuck: count(({ closing, inferred }) => closing === "stuck" && inferred === 1),
        none: count(({ closing }) => closing === null),
      };
    }),
  );
}

interface Closed extends Pick<Session, "task_id" | "closing" | "inferred" | "unverified"> {
  readonly time: string;
}

const CLOSED = `SELECT task_id, closing, inferred, unverified, completed_at AS time
  FROM sessions WHERE completed_at IS NOT NULL ORDER BY ended_position`;
