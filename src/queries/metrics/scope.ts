import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import { type Microseconds, toIsoTime, toSqlTime } from "../../lib/time.ts";
import { type Open, question } from "../../read-model/question.ts";
import type { ReadView } from "../../read-model/read-view.ts";
import { type Packed, packed, unpacked } from "./packed.ts";

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

/** One row of a table of metrics: its group, other texts that say of what it tells, and figures. */
export type Figures = Readonly<Record<string, string | number | null>>;

/** A group's name; null for what belongs to no task, or to one that was deleted. */
export type Group = string | null;

/** What tells the group of something: the id of its task, or the group's name itself. */
export type GroupKey = string | number | null;

/** What counts, and in which groups it does. */
export interface Scope extends Pick<MetricsOptions, "by" | "every"> {
  readonly given: ScopeValues;
  readonly groupOf: (key: GroupKey) => Group;
}

/** What the questions of metrics are asked with: times as the tables have them. */
export type ScopeValues = {
  readonly now: Microseconds;
  readonly since: string | null;
  readonly until: string | null;
};

/** What options say, as questions take it. */
export function scopeOf(readModel: ReadView, { now, since, until, by, every }: MetricsOptions): Scope {
  const bound = (time: Microseconds | undefined) => (time === undefined ? null : toSqlTime(toIsoTime(time)));
  return {
    by,
    every,
    given: { now, since: bound(since), until: bound(until) },
    groupOf: groupsBy(readModel, by),
  };
}

function groupsBy(readModel: ReadView, by: Scope["by"]): Scope["groupOf"] {
  if (by !== "feature" && by !== "discipline") return (name) => (name === null ? null : String(name));
  const names: string[] = [];
  for (const { name, ids } of readModel.all(TASKS_BY[by], {}))
    for (const id of unpacked(ids)) names[id] = name;
  return (task) => names[Number(task)] ?? null;
}

const TASKS_BY = { feature: tasksBy("feature"), discipline: tasksBy("discipline") } as const;

function tasksBy(column: "feature" | "discipline") {
  return question()((tables) =>
    tables
      .selectFrom("tasks")
      .select(({ ref }) => [ref(column).as("name"), packed(ref("id")).as("ids")])
      .groupBy(column),
  );
}

/** A time of the tables. */
type Time = Expression<string | null>;

/** What the questions of metrics have in common. */
interface ScopeColumns {
  /** What `groupOf` of the scope takes. @param time when something began @param task the id of its task, or NULL */
  keyOf(time: Time, task: Expression<number | null>): RawBuilder<GroupKey>;
  /** The same of all rows; where all are one group, once. */
  keysOf(time: Time, task: Expression<number | null>): RawBuilder<Packed<GroupKey>>;
  /** The first day of a time's period, such as `2026-02-09`; of a week its Monday. */
  periodOf(time: Time): RawBuilder<string>;
}

/** Whether something that began at a time counts. */
export function isIn(given: Open<ScopeValues>, time: Time): RawBuilder<SqlBool> {
  const [since, until] = [given("since"), given("until")];
  return sql<SqlBool>`(${since} IS NULL OR ${time} >= ${since}) AND (${until} IS NULL OR ${time} < ${until})`;
}

/** Builds a question once for each way to group. */
export function perScope<Q>(build: (columns: ScopeColumns) => Q): (scope: Scope) => Q {
  const built = new Map<string, Q>();
  return ({ by, every }) => {
    const key = `${by} ${every}`;
    const question = built.get(key) ?? build(columnsOf({ by, every }));
    built.set(key, question);
    return question;
  };
}

function columnsOf({ by, every }: Pick<Scope, "by" | "every">): ScopeColumns {
  const day = (time: Time) => sql<string>`substr(${time}, 1, 10)`;
  const keyOf: ScopeColumns["keyOf"] = (time, task) => {
    if (by === undefined) return sql`'all'`;
    return by === "day" ? day(time) : sql`${task}`;
  };
  return {
    keyOf,
    keysOf: (time, task) =>
      by === undefined ? sql`iif(count(*) > 0, '["all"]', '[]')` : packed(keyOf(time, task)),
    // The Sunday at or after it, and six days back.
    periodOf: (time) =>
      every === "week" ? sql<string>`date(${day(time)}, 'weekday 0', '-6 days')` : day(time),
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
  return [...Map.groupBy(things, groupOf)].sort(([a], [b]) => compareGroups(a, b));
}

function compareGroups(a: Group, b: Group): number {
  if (a === b) return 0;
  return a === null ? 1 : b === null ? -1 : a < b ? -1 : 1;
}

/** A time of the tables, in microseconds since 1970. */
export function microsecondsOf(time: Time): RawBuilder<number> {
  return sql<number>`(unixepoch(substr(${time}, 1, 19)) * 1000000 + substr(${time}, 21, 6))`;
}
