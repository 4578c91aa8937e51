import { sql } from "kysely";
import type { Blocker, Gate, Question, Task } from "../../projections/board/tables.ts";
import { question, type RowOf } from "../../read-model/question.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { type Changed, changedRows, compared, type Keys } from "./changed-rows.ts";

/**
 * The differences between an earlier and a later state of a project; what appeared and disappeared
 * in between is left out.
 */
export interface StateDiff {
  readonly counts: ReturnType<typeof countsOf>;
  /** Ordered by id; unchanged tasks are left out. */
  readonly tasks: TaskDiff[];
  /** Of the whole project or a feature, or of a task deleted before the earlier state. */
  readonly learnings: LearningDiff[];
}

/** `from` and `to`: the earlier and the later state; `from` is null for something new. */
export interface TaskDiff {
  readonly task: number;
  readonly title: string;
  readonly change: "created" | "deleted" | "changed";
  /** Null if unchanged; `rule` and `position` of its last change, null if the task was deleted. */
  readonly status: {
    readonly from: Task["status"] | null;
    readonly to: Task["status"] | null;
    readonly rule: string | null;
    readonly position: number | null;
  } | null;
  /** Names of other changed fields. */
  readonly fields: string[];
  /** `open`, or the result. */
  readonly sessions: { session: string; from: string | null; to: string }[];
  readonly questions: {
    id: number;
    question: string;
    from: Question["state"] | null;
    to: Question["state"];
    answer: string | null;
  }[];
  readonly blockers: { id: number; on: string; from: Blocker["state"] | null; to: Blocker["state"] }[];
  readonly gates: { gate: number; command: string; from: Gate["state"] | null; to: Gate["state"] }[];
  readonly learnings: LearningDiff[];
  readonly flags: { id: number; severity: string; what: string }[];
}

/** `from` and `to`: how often it had been reported. */
interface LearningDiff {
  readonly id: number;
  readonly text: string;
  readonly from: number | null;
  readonly to: number;
}

/** Compares the rows of two states of one project. */
export function diffStates(before: ReadModel, after: ReadModel): StateDiff {
  const rows = changesOf(before, after);
  const tasks = new Map(rows.tasks.map((change) => [(change.to ?? change.from)?.id ?? 0, change]));
  const isThere = (task: number) => tasks.has(task) || rowOf(after, task) !== undefined;
  const parts = {
    sessions: byTask(rows.sessions, isThere),
    questions: byTask(rows.questions, isThere),
    blockers: byTask(rows.blockers, isThere),
    gates: byTask(rows.gates, isThere),
    learnings: byTask(rows.learnings, isThere),
    flags: byTask(rows.flags, isThere),
  };
  const ids = new Set([...tasks.keys(), ...Object.values(parts).flatMap((of) => [...of.keys()])]);
  const diffs = [...ids]
    .filter((id) => id !== NO_TASK)
    .sort((a, b) => a - b)
    .map((id): TaskDiff => {
      const { from, to } = tasks.get(id) ?? unchanged(after, id);
      return {
        task: id,
        title: (to ?? from)?.title ?? "",
        change: from && to ? "changed" : to ? "created" : "deleted",
        status: statusOf(after, id, from, to),
        fields: from && to ? fieldsOf(from, to) : [],
        sessions: presentOf(parts.sessions.get(id), (row, was) => ({
          session: row.id,
          from: was ? (was.outcome ?? "open") : null,
          to: row.outcome ?? "open",
        })),
        questions: presentOf(parts.questions.get(id), ({ id, question, state, answer }, was) => ({
          id,
          question,
          from: was?.state ?? null,
          to: state,
          answer,
        })),
        blockers: presentOf(parts.blockers.get(id), ({ id, on, state }, was) => ({
          id,
          on,
          from: was?.state ?? null,
          to: state,
        })),
        gates: presentOf(parts.gates.get(id), ({ gate, command, state }, was) => ({
          gate,
          command,
          from: was?.state ?? null,
          to: state,
        })),
        learnings: presentOf(parts.learnings.get(id), learningOf),
        flags: presentOf(parts.flags.get(id), ({ id, severity, what }) => ({ id, severity, what })),
      };
    });
  const learnings = presentOf(parts.learnings.get(NO_TASK), learningOf);
  return { counts: countsOf(rows), tasks: diffs, learnings };
}

const TASK_COLUMNS = [
  ...(["id", "title", "status", "description", "priority", "feature", "discipline"] as const),
  ...(["depends_on", "accept", "criteria", "context_files", "tags", "output_artifacts"] as const),
  ...(["hints", "pseudocode", "estimated_turns"] as const),
] as const;

const TASKS = compared("tasks", (isCompared) =>
  question<Keys>()((tables, given) =>
    tables
      .selectFrom("tasks")
      .select(TASK_COLUMNS)
      .where(({ ref }) => isCompared(ref("id"), given))
      .orderBy("id"),
  ),
);
const SESSIONS = compared("sessions", (isCompared) =>
  question<Keys>()((tables, given) =>
    tables
      .selectFrom("sessions")
      .select(["id", "task_id", "outcome"])
      .where(({ ref }) => isCompared(ref("id"), given))
      .orderBy("id"),
  ),
);
const QUESTIONS = compared("questions", (isCompared) =>
  question<Keys>()((tables, given) =>
    tables
      .selectFrom("questions")
      .select(["id", "task_id", "question", "state", "answer"])
      .where(({ ref }) => isCompared(ref("id"), given))
      .orderBy("id"),
  ),
);
const BLOCKERS = compared("blockers", (isCompared) =>
  question<Keys>()((tables, given) =>
    tables
      .selectFrom("blockers")
      .select(["id", "task_id", "on", "state"])
      .where(({ ref }) => isCompared(ref("id"), given))
      .orderBy("id"),
  ),
);
const GATES = compared("gates", (isCompared) =>
  question<Keys>()((tables, given) =>
    tables
      .selectFrom("gates")
      .select(({ ref }) => sql<string>`${ref("task_id")} || '.' || ${ref("gate")}`.as("id"))
      .select(["task_id", "gate", "command", "state"])
      .where(({ ref }) => isCompared(ref("task_id"), given))
      .orderBy("id"),
  ),
);
const LEARNINGS = compared("learnings", (isCompared) =>
  question<Keys>()((tables, given) =>
    tables
      .selectFrom("learnings")
      .select(["id", "task_id", "text", "confirmations"])
      .where(({ ref }) => isCompared(ref("id"), given))
      .orderBy("id"),
  ),
);
const FLAGS = compared("flags", (isCompared) =>
  question<Keys>()((tables, given) =>
    tables
      .selectFrom("flags")
      .select(["id", "task_id", "severity", "what"])
      .where(({ ref }) => isCompared(ref("id"), given))
      .orderBy("id"),
  ),
);

type TaskRow = RowOf<typeof TASKS.all>;
type LearningRow = RowOf<typeof LEARNINGS.all>;

function changesOf(before: ReadModel, after: ReadModel) {
  return {
    tasks: changedRows(before, after, TASKS),
    sessions: changedRows(before, after, SESSIONS),
    questions: changedRows(before, after, QUESTIONS),
    blockers: changedRows(before, after, BLOCKERS),
    gates: changedRows(before, after, GATES),
    learnings: changedRows(before, after, LEARNINGS),
    flags: changedRows(before, after, FLAGS),
  };
}

/** Collects changes without a task, or whose task is in neither state. */
const NO_TASK = 0;

function byTask<T extends { readonly task_id: number | null }>(
  changes: readonly Changed<T>[],
  isThere: (task: number) => boolean,
): ReadonlyMap<number, Changed<T>[]> {
  // Changes that go with a deleted task add nothing to its deletion.
  const present = changes.filter(({ to }) => to);
  return Map.groupBy(present, ({ to }) =>
    to?.task_id != null && isThere(to.task_id) ? to.task_id : NO_TASK,
  );
}

function presentOf<T, Shown>(
  changes: readonly Changed<T>[] | undefined,
  show: (row: T, was: T | undefined) => Shown,
): Shown[] {
  return (changes ?? []).flatMap(({ from, to }) => (to ? [show(to, from)] : []));
}

/** A task whose own row is unchanged. */
function unchanged(after: ReadModel, id: number): Changed<TaskRow> {
  const row = rowOf(after, id);
  return { from: row, to: row };
}

function rowOf(state: ReadModel, task: number): TaskRow | undefined {
  return state.get(TASK, { task });
}

const TASK = question<{ task: number }>()((tables, given) =>
  tables.selectFrom("tasks").select(TASK_COLUMNS).where("id", "=", given("task")),
);

function statusOf(
  after: ReadModel,
  task: number,
  from: TaskRow | undefined,
  to: TaskRow | undefined,
): TaskDiff["status"] {
  if (from?.status === to?.status) return null;
  const last = to && after.get(LAST_CHANGE, { task });
  return {
    from: from?.status ?? null,
    to: to?.status ?? null,
    rule: last?.rule ?? null,
    position: last?.position ?? null,
  };
}

const LAST_CHANGE = question<{ task: number }>()((tables, given) =>
  tables
    .selectFrom("status_changes")
    .select(["rule", "position"])
    .where("task_id", "=", given("task"))
    .orderBy("position", "desc")
    .orderBy("ordinal", "desc")
    .limit(1),
);

function fieldsOf(from: TaskRow, to: TaskRow): string[] {
  const before = new Map(Object.entries(from));
  return Object.entries(to).flatMap(([name, value]) =>
    name !== "status" && before.get(name) !== value ? [name] : [],
  );
}

function learningOf({ id, text, confirmations }: LearningRow, was: LearningRow | undefined): LearningDiff {
  return { id, text, from: was?.confirmations ?? null, to: confirmations };
}

function countsOf(rows: ReturnType<typeof changesOf>) {
  const count = <T>(
    changes: readonly Changed<T>[],
    isCounted: (from: T | undefined, to: T | undefined) => boolean,
  ) => changes.filter(({ from, to }) => isCounted(from, to)).length;
  const isNew = (from: unknown) => from === undefined;
  return {
    tasks_created: count(rows.tasks, isNew),
    tasks_deleted: count(rows.tasks, (_, to) => to === undefined),
    statuses_changed: count(
      rows.tasks,
      (from, to) => from !== undefined && to !== undefined && from.status !== to.status,
    ),
    sessions_started: count(rows.sessions, isNew),
    sessions_ended: count(rows.sessions, (from, to) => to?.outcome !== from?.outcome && to?.outcome !== null),
    questions_asked: count(rows.questions, isNew),
    questions_answered: count(
      rows.questions,
      (from, to) => to?.state === "answered" && from?.state !== "answered",
    ),
    blockers_raised: count(rows.blockers, isNew),
    gates_changed: count(rows.gates, (_, to) => to !== undefined),
    learnings: count(rows.learnings, isNew),
    flags: count(rows.flags, isNew),
  };
}
