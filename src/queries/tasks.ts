import type { Expression, ExpressionBuilder, SelectQueryBuilder, SqlBool } from "kysely";
import type { TaskStatus } from "../events/types/fields.ts";
import type { Verb } from "../events/types/signals.ts";
import type { PartOf } from "../lib/page.ts";
import { isReady } from "../projections/board/status.ts";
import { READY } from "../projections/board/status-order.ts";
import {
  type Gate,
  gates,
  type StatusChange,
  statusChanges,
  type Task,
  tasks,
} from "../projections/board/tables.ts";
import { parseColumn } from "../projections/parse-column.ts";
import { fits, type Open, question, type Schema, type Tables } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";
import { type ProofOfDone, proofOfDone } from "./proof-of-done.ts";
import { type Repetition, taskRepetitions } from "./repetitions.ts";

/** A task as users see it: the columns of the table, what is JSON there as lists. */
export interface TaskView
  extends Omit<
    Task,
    | "depends_on"
    | "criteria"
    | "context_files"
    | "tags"
    | "output_artifacts"
    | "title_folded"
    | "title_prefix"
    | "priority_rank"
  > {
  readonly depends_on: number[];
  readonly criteria: string[];
  readonly context_files: string[];
  readonly tags: string[];
  readonly output_artifacts: string[];
  /** True if it could be started now. */
  readonly ready: boolean;
  /** What is known of its last session's work; null where none has worked on it. */
  readonly proof: ProofOfDone | null;
}

/** What people and agents said on a task, as one timeline. */
interface TimelineEntry {
  readonly id: number;
  readonly task_id: number;
  readonly session_id: string | null;
  /** A comment's signature, chosen by its writer; a signal's is its task's discipline. */
  readonly author: string;
  /** Who wrote the body: the actor, e.g. `human`, or `agent` whatever the author says. */
  readonly by: string;
  readonly signal_verb: Verb | null;
  readonly signal_payload: string | null;
  readonly signal_answered: string | null;
  readonly body: string;
  readonly created: string;
}

/** A task that another one depends on, or that depends on it. */
interface RelatedTask {
  readonly id: number;
  readonly title: string;
  readonly status: TaskStatus;
}

export interface TaskDetails extends TaskView {
  /** What it depends on, and what depends on it, each in the order of ids. */
  readonly dependencies: RelatedTask[];
  readonly dependents: RelatedTask[];
  readonly gates: Omit<Gate, "task_id">[];
  readonly status_changes: StatusChange[];
  readonly timeline: TimelineEntry[];
  /** When it said the same again, or failed in the same way again. */
  readonly repetitions: Repetition[];
}

/** The tasks that could be started now, the next one first (docs/rules.md, Task statuses). */
export function readyTasks(readModel: ReadView, limit = -1): TaskView[] {
  return readModel.all(READY_TASKS, { limit }).map((task) => viewTask(readModel, task));
}

export function findTask(readModel: ReadView, id: number): TaskView | undefined {
  const task = readModel.rowsOf({ tasks }).tasks.get(id);
  return task && viewTask(readModel, task);
}

export function taskDetails(readModel: ReadView, id: number): TaskDetails | undefined {
  const rows = readModel.rowsOf({ gates, statusChanges });
  const task = findTask(readModel, id);
  return (
    task && {
      ...task,
      dependencies: readModel.all(DEPENDENCIES, { id }),
      dependents: readModel.all(DEPENDENTS, { id }),
      gates: rows.gates.where({ task_id: id }).map(({ task_id: _, ...gate }) => gate),
      status_changes: rows.statusChanges.where({ task_id: id }),
      timeline: readModel.all(TIMELINE, { id }),
      repetitions: taskRepetitions(readModel, id),
    }
  );
}

const READY_TASKS = question<{ limit: number }>()((tables, given) =>
  tables.selectFrom("ready_tasks").selectAll().limit(given("limit")),
);
const TIMELINE = question<{ id: number }>()((tables, given) =>
  tables
    .selectFrom("task_comments")
    .select(["id", "task_id", "session_id", "author", "actor as by"])
    .select(["signal_verb", "signal_payload", "signal_answered", "body", "created"])
    .where("task_id", "=", given("id"))
    .orderBy("id"),
);
const DEPENDENCIES = question<{ id: number }>()((tables, given) =>
  tables
    .selectFrom("task_dependencies as d")
    .innerJoin("tasks as t", "t.id", "d.depends_on")
    .select(["t.id", "t.title", "t.status"])
    .where("d.task_id", "=", given("id"))
    .orderBy("t.id"),
);
const DEPENDENTS = question<{ id: number }>()((tables, given) =>
  tables
    .selectFrom("task_dependencies as d")
    .innerJoin("tasks as t", "t.id", "d.task_id")
    .select(["t.id", "t.title", "t.status"])
    .where("d.depends_on", "=", given("id"))
    .orderBy("t.id"),
);

export interface TaskFilter {
  readonly status?: TaskStatus | undefined;
  readonly feature?: string | undefined;
  readonly discipline?: string | undefined;
}

/** Tasks in the order of their ids. */
export function listTasks(readModel: ReadView, filter: TaskFilter & PartOf<number> = {}): TaskView[] {
  return readModel.all(LIST, partOf(filter)).map((task) => viewTask(readModel, task));
}

/** The tasks that a filter lets through; `parametersOf` is what such a question is asked with. */
export function matchingTasks(tables: Tables, given: Open<FilterParameters>) {
  return tables
    .selectFrom("tasks")
    .where(({ ref }) => fits(ref("status"), given("status")))
    .where(({ ref }) => fits(ref("feature"), given("feature")))
    .where(({ ref }) => fits(ref("discipline"), given("discipline")));
}

/** What `matchingTasks` is asked with; null for what does not matter. */
export type FilterParameters = {
  readonly status: TaskStatus | null;
  readonly feature: string | null;
  readonly discipline: string | null;
};

export function parametersOf({ status, feature, discipline }: TaskFilter): FilterParameters {
  return { status: status ?? null, feature: feature ?? null, discipline: discipline ?? null };
}

type PartParameters = FilterParameters & { readonly after: number; readonly limit: number };

function partOf({ after = 0, limit = -1, ...filter }: TaskFilter & PartOf<number>): PartParameters {
  return { ...parametersOf(filter), after, limit };
}

function partOfMatching(tables: Tables, given: Open<PartParameters>) {
  return matchingTasks(tables, given).where("id", ">", given("after")).orderBy("id").limit(given("limit"));
}

const LIST = question<PartParameters>()((tables, given) => partOfMatching(tables, given).selectAll());

/** A task in a line. */
export type TaskBrief = Pick<
  TaskView,
  | "id"
  | "title"
  | "status"
  | "priority"
  | "feature"
  | "origin"
  | "depends_on"
  | "open_dependencies"
  | "unapproved_gates"
  | "held_at"
  | "ready"
>;

/** Tasks in the order of their ids, of each no more than a line says. */
export function listBriefTasks(readModel: ReadView, filter: TaskFilter & PartOf<number> = {}): TaskBrief[] {
  return readModel.all(BRIEF_LIST, partOf(filter)).map(briefOf);
}

/** The first tasks that could be started now, the next one first; or of others, in the order of ids; of each no more than a line says. */
export function briefTasksThat(readModel: ReadView, which: keyof typeof BRIEFS, limit = -1): TaskBrief[] {
  return readModel.all(BRIEFS[which].first, { limit }).map(briefOf);
}

/** How many tasks `briefTasksThat` has. */
export function countTasksThat(readModel: ReadView, which: keyof typeof BRIEFS): number {
  return readModel.get(BRIEFS[which].count, {})?.tasks ?? 0;
}

const BRIEF = [
  ...(["id", "title", "status", "priority", "feature", "origin"] as const),
  ...(["depends_on", "open_dependencies", "unapproved_gates", "held_at"] as const),
] as const;

function briefOf(row: Pick<Task, (typeof BRIEF)[number]>): TaskBrief {
  return { ...row, depends_on: parseColumn(row.depends_on), ready: isReady(row) };
}

const BRIEF_LIST = question<PartParameters>()((tables, given) => partOfMatching(tables, given).select(BRIEF));

type Condition = (task: ExpressionBuilder<Schema, "tasks">) => Expression<SqlBool>;
const pending =
  (what: Condition): Condition =>
  (eb) =>
    eb.and([eb("status", "=", "pending"), what(eb)]);

const BRIEFS = {
  areReady: briefsOf((eb) => eb.and(READY), ["priority_rank", "id"]),
  wait: briefsOf(pending((eb) => eb.not(eb.and(READY)))),
  waitForApproval: briefsOf(pending((eb) => eb("unapproved_gates", ">", 0))),
  waitForTasks: briefsOf(pending((eb) => eb("open_dependencies", ">", 0))),
  haveFailed: briefsOf((eb) => eb("status", "=", "failed")),
};

function briefsOf(isOne: Condition, order: readonly (keyof Task)[] = ["id"]) {
  // An index has what says which: the ids first, and then the few wide rows.
  const inOrder = <Row>(some: SelectQueryBuilder<Schema, "tasks", Row>) =>
    order.reduce((query, column) => query.orderBy(column), some);
  return {
    first: question<{ limit: number }>()((tables, given) => {
      const ids = inOrder(tables.selectFrom("tasks").select("id").where(isOne)).limit(given("limit"));
      return inOrder(tables.selectFrom("tasks").select(BRIEF).where("id", "in", ids));
    }),
    count: question()((tables) =>
      tables
        .selectFrom("tasks")
        .where(isOne)
        .select(({ fn }) => fn.countAll<number>().as("tasks")),
    ),
  };
}

/** How many tasks have each status; those that none has are left out. */
export function countTasks(readModel: ReadView): Partial<Record<TaskStatus, number>> {
  return Object.fromEntries(readModel.all(COUNTS, {}).map(({ status, tasks }) => [status, tasks]));
}

const COUNTS = question()((tables) =>
  tables.selectFrom("task_counts").select(["status", "tasks"]).where("tasks", ">", 0),
);

/** How many of the pending tasks could be started now. */
export function countReady(readModel: ReadView): number {
  return countTasksThat(readModel, "areReady");
}

function viewTask(readModel: ReadView, row: Task): TaskView {
  const { title_folded: _, title_prefix: __, priority_rank: ___, ...task } = row;
  return {
    ...task,
    depends_on: parseColumn(task.depends_on),
    criteria: parseColumn(task.criteria),
    context_files: parseColumn(task.context_files),
    tags: parseColumn(task.tags),
    output_artifacts: parseColumn(task.output_artifacts),
    ready: isReady(task),
    proof: proofOfDone(readModel, row),
  };
}
