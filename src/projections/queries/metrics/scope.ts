import { fromSqlTime, type Microseconds, toIsoTime } from "../../../events/time.ts";
import type { ReadModel } from "../../read-model.ts";

export const METRIC_GROUPS = ["feature", "discipline", "day"] as const;
export const METRIC_PERIODS = ["day", "week"] as const;

/** Of what metrics tell, and in which groups (docs/metrics.md). */
export interface MetricsOptions {
  /** The present: until then open things have lasted. */
  readonly now: Microseconds;
  /** What began at or after it counts; absent: everything. */
  readonly since?: Microseconds | undefined;
  /** What began before it counts; absent: everything. */
  readonly until?: Microseconds | undefined;
  /** Absent: one group, `all`. */
  readonly by?: (typeof METRIC_GROUPS)[number] | undefined;
  /** How long the periods of closing verbs are; a day if absent. */
  readonly every?: (typeof METRIC_PERIODS)[number] | undefined;
}

/** One row of a table of metrics: its group, at most one other text that says of what it tells, and figures. */
export type Figures = Readonly<Record<string, string | number | null>>;

/** A group's name; null for what belongs to no task, or to one that was deleted. */
export type Group = string | null;

/** What the tables of metrics share: what counts, and in which group it does. */
export interface Scope {
  readonly now: Microseconds;
  /** Whether something that began at a time of the tables counts. */
  includes(time: string): boolean;
  groupOf(thing: { readonly task_id: number | null; readonly time: string }): Group;
  /** The first day of a time's period, such as `2026-02-09`; of a week its Monday. */
  periodOf(time: string): string;
}

export function scopeOf(readModel: ReadModel, { now, since, until, by, every }: MetricsOptions): Scope {
  const names = by === undefined || by === "day" ? undefined : namesOfTasks(readModel, by);
  return {
    now,
    includes(time) {
      const at = fromSqlTime(time);
      return (since === undefined || at >= since) && (until === undefined || at < until);
    },
    groupOf({ task_id, time }) {
      if (by === "day") return time.slice(0, 10);
      if (!names) return "all";
      return task_id === null ? null : (names.get(task_id) ?? null);
    },
    periodOf: (time) => (every === "week" ? mondayOf(time) : time.slice(0, 10)),
  };
}

/** Gathers things by their groups, groups in the order of their names, the one without a name last. */
export function inGroups<Thing>(
  things: readonly Thing[],
  groupOf: (thing: Thing) => Group,
): [Group, Thing[]][] {
  const groups = new Map<Group, Thing[]>();
  for (const thing of things) {
    const group = groupOf(thing);
    const before = groups.get(group);
    if (before) before.push(thing);
    else groups.set(group, [thing]);
  }
  return [...groups].sort(([a], [b]) => (a === null ? 1 : b === null ? -1 : a < b ? -1 : 1));
}

/** How long something lasted that began at a time of the tables; where it has no end, until now. */
export function lasted(scope: Scope, from: string, to: string | null): Microseconds {
  const end = to === null ? scope.now : fromSqlTime(to);
  // A clock that was set back is behind the log, whose times only grow.
  return Math.max(0, end - fromSqlTime(from));
}

function namesOfTasks(readModel: ReadModel, by: "feature" | "discipline"): Map<number, string> {
  const rows = readModel
    .prepared<[], { id: number; name: string }>(
      by === "feature" ? "SELECT id, feature AS name FROM tasks" : "SELECT id, discipline AS name FROM tasks",
    )
    .all();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function mondayOf(time: string): string {
  const day = Math.floor(fromSqlTime(time) / DAY);
  // Day 0, 1970-01-01, was a Thursday.
  return toIsoTime((day - ((day + 3) % 7)) * DAY).slice(0, 10);
}

const DAY: Microseconds = 24 * 3_600 * 1_000_000;
