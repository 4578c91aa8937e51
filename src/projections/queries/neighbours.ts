import type { TaskStatus } from "../../events/types/fields.ts";
import type { ReadModel } from "../read-model.ts";

/** A task with those that it depends on and those that depend on it, for a small graph. */
export interface Neighbours {
  readonly tasks: readonly Neighbour[];
  /** Every dependency between two of these tasks. */
  readonly edges: readonly { readonly task: number; readonly depends_on: number }[];
  /** How many of either are left out. */
  readonly more_dependencies: number;
  readonly more_dependents: number;
}

export interface Neighbour {
  readonly id: number;
  readonly title: string;
  readonly status: TaskStatus;
  /** What a pending task cannot be started for: others that are not done, and gates that nobody has approved; or that it is held. */
  readonly waits: 0 | 1;
  readonly is: "itself" | "dependency" | "dependent";
}

/**
 * @param limit how many tasks there are at most, the task itself included
 * @returns undefined where there is no such task
 */
export function neighboursOf(readModel: ReadModel, id: number, limit: number): Neighbours | undefined {
  const itself = readModel.prepared<[number], Neighbour>(ITSELF).get(id);
  if (!itself) return undefined;
  const dependencies = readModel.prepared<[number], Neighbour>(DEPENDENCIES).all(id);
  const dependents = readModel.prepared<[number], Neighbour>(DEPENDENTS).all(id);
  const room = limit - 1;
  const shownDependencies = dependencies.slice(0, Math.max(Math.ceil(room / 2), room - dependents.length));
  const shownDependents = dependents.slice(0, room - shownDependencies.length);
  const tasks = [...shownDependencies, itself, ...shownDependents];
  const ids = JSON.stringify(tasks.map((task) => task.id));
  return {
    tasks,
    edges: readModel.prepared<{ ids: string }, { task: number; depends_on: number }>(EDGES).all({ ids }),
    more_dependencies: dependencies.length - shownDependencies.length,
    more_dependents: dependents.length - shownDependents.length,
  };
}

const WAITS = "t.status = 'pending' AND (t.open_dependencies > 0 OR t.unapproved_gates > 0 OR t.held_at > 0)";
const ITSELF = `SELECT t.id, t.title, t.status, ${WAITS} AS waits, 'itself' AS "is" FROM tasks t WHERE t.id = ?`;
/** Those that hold the task up come first. */
const DEPENDENCIES = `SELECT t.id, t.title, t.status, ${WAITS} AS waits, 'dependency' AS "is"
  FROM task_dependencies d JOIN tasks t ON t.id = d.depends_on
  WHERE d.task_id = ? ORDER BY t.status IN ('done', 'skipped'), t.id`;
const DEPENDENTS = `SELECT t.id, t.title, t.status, ${WAITS} AS waits, 'dependent' AS "is"
  FROM task_dependencies d JOIN tasks t ON t.id = d.task_id
  WHERE d.depends_on = ? ORDER BY t.status IN ('done', 'skipped'), t.id`;
const EDGES = `SELECT d.task_id AS task, d.depends_on FROM task_dependencies d
  WHERE d.task_id IN (SELECT value FROM json_each(:ids)) AND d.depends_on IN (SELECT value FROM json_each(:ids))
  ORDER BY d.task_id, d.depends_on`;
