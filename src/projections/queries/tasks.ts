import type { TaskStatus } from "../../events/types/fields.ts";
import type { Verb } from "../../events/types/signals.ts";
import type { PartOf } from "../../page.ts";
import { isReady } from "../board/status.ts";
import { IS_READY } from "../board/status-order.ts";
import { type Gate, gates, type StatusChange, statusChanges, type Task, tasks } from "../board/tables.ts";
import type { ReadModel } from "../read-model.ts";
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

/** What people and agents said on a task, as one timeline (seed 002). */
interface TimelineEntry {
  readonly id: number;
  readonly task_id: number;
  readonly session_id: string | null;
  /** What a comment is signed with, which whoever wrote it chose; of a signal the task's discipline. */
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

/** The tasks that could be started now, the next one first (rules.md, Task statuses). */
export function readyTasks(readModel: ReadModel, limit = -1): TaskView[] {
  return readModel
    .prepared<[number], Task>("SELECT * FROM ready_tasks LIMIT ?")
    .all(limit)
    .map((task) => viewTask(readModel, task));
}

export function findTask(readModel: ReadModel, id: number): TaskView | undefined {
  const task = readModel.rowsOf({ tasks }).tasks.get(id);
  return task && viewTask(readModel, task);
}

export function taskDetails(readModel: ReadModel, id: number): TaskDetails | undefined {
  const rows = readModel.rowsOf({ gates, statusChanges });
  const task = findTask(readModel, id);
  return (
    task && {
      ...task,
      dependencies: readModel.prepared<[number], RelatedTask>(DEPENDENCIES).all(id),
      dependents: readModel.prepared<[number], RelatedTask>(DEPENDENTS).all(id),
      gates: rows.gates.where({ task_id: id }).map(({ task_id: _, ...gate }) => gate),
      status_changes: rows.statusChanges.where({ task_id: id }),
      timeline: readModel.prepared<[number], TimelineEntry>(TIMELINE).all(id),
      repetitions: taskRepetitions(readModel, id),
    }
  );
}

const TIMELINE = `SELECT id, task_id, session_id, author, actor AS "by", signal_verb, signal_payload, signal_answered, body,
    created
  FROM task_comments WHERE task_id = ? ORDER BY id`;
const DEPENDENCIES = `SELECT t.id, t.title, t.status FROM task_dependencies d JOIN tasks t ON t.id = d.depends_on
  WHERE d.task_id = ? ORDER BY t.id`;
const DEPENDENTS = `SELECT t.id, t.title, t.status FROM task_dependencies d JOIN tasks t ON t.id = d.task_id
  WHERE d.depends_on = ? ORDER BY t.id`;

export interface TaskFilter {
  readonly status?: TaskStatus | undefined;
  readonly feature?: string | undefined;
  readonly discipline?: string | undefined;
}

/** Tasks in the order of their ids. */
export function listTasks(readModel: ReadModel, filter: TaskFilter & PartOf<number> = {}): TaskView[] {
  return readModel
    .prepared<object, Task>(`SELECT * FROM ${MATCHING_TASKS} ${PART}`)
    .all(partOf(filter))
    .map((task) => viewTask(readModel, task));
}

/** What a query of such tasks takes them from; `parametersOf` is what it is asked with. */
export const MATCHING_TASKS = `tasks WHERE (:status IS NULL OR status = :status)
  AND (:feature IS NULL OR feature = :feature) AND (:discipline IS NULL OR discipline = :discipline)`;

export type FilterParameters = Readonly<Record<keyof TaskFilter, string | null>>;

export function parametersOf({ status, feature, discipline }: TaskFilter): FilterParameters {
  return { status: status ?? null, feature: feature ?? null, discipline: discipline ?? null };
}

const PART = "AND id > :after ORDER BY id LIMIT :limit";

function partOf({ after = 0, limit = -1, ...filter }: TaskFilter & PartOf<number>) {
  return { ...parametersOf(filter), after, limit };
}

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
export function listBriefTasks(readModel: ReadModel, filter: TaskFilter & PartOf<number> = {}): TaskBrief[] {
  return readModel
    .prepared<object, BriefRow>(`SELECT ${BRIEF_COLUMNS} FROM ${MATCHING_TASKS} ${PART}`)
    .all(partOf(filter))
    .map(briefOf);
}

/**
 * Every task that could be started now, the next one first; or that is pending and could not; or that has failed: both in the order of ids.
 * There may be thousands, so no more is looked up than a line says.
 */
export function briefTasksThat(readModel: ReadModel, which: keyof typeof BRIEFS): TaskBrief[] {
  return readModel.prepared<[], BriefRow>(`SELECT ${BRIEF_COLUMNS} FROM ${BRIEFS[which]}`).all().map(briefOf);
}

const BRIEF_COLUMNS =
  "id, title, status, priority, feature, origin, depends_on, open_dependencies, unapproved_gates, held_at";
type BriefRow = Omit<TaskBrief, "depends_on" | "ready"> & { depends_on: string };

function briefOf(row: BriefRow): TaskBrief {
  return { ...row, depends_on: JSON.parse(row.depends_on), ready: isReady(row) };
}

const BRIEFS = {
  areReady: "ready_tasks",
  wait: `tasks WHERE status = 'pending' AND NOT (${IS_READY}) ORDER BY id`,
  haveFailed: "tasks WHERE status = 'failed' ORDER BY id",
};

/** How many tasks have each status; those that none has are left out. */
export function countTasks(readModel: ReadModel): Partial<Record<TaskStatus, number>> {
  const counts = readModel
    .prepared<[], { status: TaskStatus; count: number }>(
      "SELECT status, tasks AS count FROM task_counts WHERE tasks > 0",
    )
    .all();
  return Object.fromEntries(counts.map(({ status, count }) => [status, count]));
}

/** How many of the pending tasks could be started now. */
export function countReady(readModel: ReadModel): number {
  // The view would read the whole rows.
  const sql = `SELECT count(*) AS ready FROM tasks WHERE ${IS_READY}`;
  return readModel.prepared<[], { ready: number }>(sql).get()?.ready ?? 0;
}

function viewTask(readModel: ReadModel, row: Task): TaskView {
  const { title_folded: _, title_prefix: __, priority_rank: ___, ...task } = row;
  return {
    ...task,
    depends_on: JSON.parse(task.depends_on),
    criteria: JSON.parse(task.criteria),
    context_files: JSON.parse(task.context_files),
    tags: JSON.parse(task.tags),
    output_artifacts: JSON.parse(task.output_artifacts),
    ready: isReady(task),
    proof: proofOfDone(readModel, row),
  };
}
