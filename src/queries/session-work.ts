import type { Consequence } from "../events/types/policies.ts";
import { consequenceOf } from "../projections/board/evidence.ts";
import { boardTables } from "../projections/board/tables.ts";
import { parseColumn } from "../projections/parse-column.ts";
import { question, type RowOf } from "../read-model/question.ts";
import type { ReadModel } from "../read-model/read-model.ts";
import type { ReadView } from "../read-model/read-view.ts";

/** What a session did to its repository, as its driver found it. */
export interface SessionWork extends Omit<RowOf<typeof WORK>, "session_id" | "task_id" | "outside"> {
  /** The files that are outside its task's `output_artifacts`. */
  readonly outside: string[];
  readonly findings: readonly SessionFinding[];
}

interface SessionFinding extends Omit<RowOf<typeof FINDINGS>, "paths" | "refs"> {
  readonly paths: string[];
  readonly refs: string[];
}

/** Undefined: nothing was found, for example without git. */
export function sessionWorkOf(readModel: ReadView, session: string): SessionWork | undefined {
  const row = readModel.get(WORK, { session });
  if (!row) return undefined;
  const findings = readModel
    .all(FINDINGS, { session })
    .map(({ paths, refs, ...more }) => ({ ...more, paths: parseColumn(paths), refs: parseColumn(refs) }));
  const { session_id: _session, task_id: _task, outside, ...work } = row;
  return { ...work, outside: parseColumn(outside), findings };
}

/** What a task's last session left on the task's own branch. */
export interface LeftOnBranch extends Pick<SessionWork, "fork" | "fingerprint"> {
  readonly head: string;
  /** The branch's commit when the work that was not merged yet began. */
  readonly begun: string;
  /** The files that it takes back, as was found then. */
  readonly takesBack: readonly string[];
  /** The base's commit then, if more were found than are named. */
  readonly allBack: string | undefined;
  /** What would follow if more of them were found. */
  readonly undoes: Consequence;
}

/** Undefined where nobody has looked, or the task has no worktree of its own. */
export function leftOnBranch(readModel: ReadModel, task: number): LeftOnBranch | undefined {
  const rows = readModel.rowsOf(boardTables);
  const [last] = rows.sessions.where({
    task_id: task,
    started_position: rows.tasks.get(task)?.last_start ?? 0,
  });
  const work = last && rows.sessionWork.get(last.id);
  if (!work || work.base === null || work.head === null) return undefined;
  const { head, fork, fingerprint, base } = work;
  const [first = work] = rows.sessionWork
    .where({ task_id: task }, (other) => other.fork === fork)
    .sort((a, b) => a.position - b.position);
  const found = rows.sessionFindings.where({ session_id: last.id }, ({ kind }) => kind === "undoes");
  const takesBack = found.flatMap(({ paths }) => parseColumn(paths));
  return {
    head,
    fork,
    fingerprint,
    begun: first.start,
    takesBack,
    allBack: found.some(({ more }) => more > 0) ? base : undefined,
    undoes: consequenceOf(rows, { id: last.id, task_id: task }, "undoes"),
  };
}

/**
 * What a task's branch and its base had in common when the work of its last session began, and the branch's commit then; undefined
 * where nobody has looked.
 */
export function taskFork(
  readModel: ReadView,
  task: number,
): { readonly fork: string; readonly begun: string } | undefined {
  const all = readModel.all(FORKS, { task });
  const fork = all.at(-1)?.fork;
  const begun = all.find((one) => one.fork === fork)?.start;
  return fork && begun ? { fork, begun } : undefined;
}

const WORK = question<{ session: string }>()((tables, given) =>
  tables.selectFrom("session_work").selectAll().where("session_id", "=", given("session")),
);
const FINDINGS = question<{ session: string }>()((tables, given) =>
  tables
    .selectFrom("session_findings")
    .select(["kind", "says", "paths", "more", "refs", "led_to"])
    .where("session_id", "=", given("session"))
    .orderBy("nth"),
);
const FORKS = question<{ task: number }>()((tables, given) =>
  tables
    .selectFrom("session_work")
    .select(["fork", "start"])
    .where("task_id", "=", given("task"))
    .where("fork", "is not", null)
    .orderBy("position"),
);
