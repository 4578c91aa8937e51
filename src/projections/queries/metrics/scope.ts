import { type Microseconds, toIsoTime, toSqlTime } from "../../../events/time.ts";

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

/** What the tables of metrics share, as SQL: what counts, and in which group it does. */
export interface Scope {
  readonly now: Microseconds;
  /** The values of the parameters that the SQL names. */
  readonly given: { readonly since: string | null; readonly until: string | null };
  /** Whether something that began at a time of the tables counts. @param time SQL for it */
  includes(time: string): string;
  /** The group of something: a name, or NULL. @param time SQL for when it began @param task SQL for the id of its task, or NULL */
  groupOf(time: string, task: string): string;
  /** The first day of a time's period, such as `2026-02-09`; of a week its Monday. @param time SQL for it */
  periodOf(time: string): string;
}

export function scopeOf({ now, since, until, by, every }: MetricsOptions): Scope {
  const bound = (time: Microseconds | undefined) => (time === undefined ? null : toSqlTime(toIsoTime(time)));
  const day = (time: string) => `substr(${time}, 1, 10)`;
  return {
    now,
    given: { since: bound(since), until: bound(until) },
    includes: (time) => `(:since IS NULL OR ${time} >= :since) AND (:until IS NULL OR ${time} < :until)`,
    groupOf(time, task) {
      if (by === undefined) return "'all'";
      return by === "day" ? day(time) : `(SELECT ${by} FROM tasks WHERE tasks.id = ${task})`;
    },
    // The Sunday at or after it, and six days back.
    periodOf: (time) => (every === "week" ? `date(${day(time)}, 'weekday 0', '-6 days')` : day(time)),
  };
}

/** Rows in the order of their groups' names, those of none last; rows of one group as they came. */
export function byGroup<Row extends { readonly group: Group }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => compareGroups(a.group, b.group));
}

/** Gathers things by their groups, in the same order. */
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
  return [...groups].sort(([a], [b]) => compareGroups(a, b));
}

function compareGroups(a: Group, b: Group): number {
  if (a === b) return 0;
  return a === null ? 1 : b === null ? -1 : a < b ? -1 : 1;
}

/** SQL for a time of the tables, in microseconds since 1970. */
export function microsecondsOf(time: string): string {
  return `(unixepoch(substr(${time}, 1, 19)) * 1000000 + substr(${time}, 21, 6))`;
}
