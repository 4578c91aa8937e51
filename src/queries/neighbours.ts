import type { TaskStatus } from "../events/types/fields.ts";
import { question, type Tables, valuesIn } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";

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
export function neighboursOf(readModel: ReadView, id: number, limit: number): Neighbours | undefined {
  const itself = readModel.get(ITSELF, { id });
  if (!itself) return undefined;
  const dependencies = readModel.all(DEPENDENCIES, { id });
  const dependents = readModel.all(DEPENDENTS, { id });
  const room = limit - 1;
  const shownDependencies = dependencies.slice(0, Math.max(Math.ceil(room / 2), room - dependents.length));
  const shownDependents = dependents.slice(0, room - shownDependencies.length);
  const tasks = [...shownDependencies, itself, ...shownDependents];
  const ids = JSON.stringify(tasks.map((task) => task.id));
  return {
    tasks,
    edges: readModel.all(EDGES, { ids }),
    more_dependencies: dependencies.length - shownDependencies.length,
    more_dependents: dependents.length - shownDependents.length,
  };
}

/** Each task `t` of a table expression, as far as a graph shows it. */
const neighboursIn = <Is extends Neighbour["is"]>(tables: Tables, is: Is) =>
  tables
    .selectFrom("tasks as t")
    .select(["t.id", "t.title", "t.status"])
    .select((eb) => [
      eb
        .and([
          eb("t.status", "=", "pending"),
          eb.or([
            eb("t.open_dependencies", ">", 0),
            eb("t.unapproved_gates", ">", 0),
            eb("t.held_at", ">", 0),
          ]),
        ])
        .$castTo<0 | 1>()
        .as("waits"),
      eb.val<Is>(is).as("is"),
    ]);

const ITSELF = question<{ id: number }>()((tables, given) =>
  neighboursIn(tables, "itself").where("t.id", "=", given("id")),
);
/** Those that hold the task up come first. */
const DEPENDENCIES = question<{ id: number }>()((tables, given) =>
  neighboursIn(tables, "dependency")
    .innerJoin("task_dependencies as d", "d.depends_on", "t.id")
    .where("d.task_id", "=", given("id"))
    .orderBy((eb) => eb("t.status", "in", ["done", "skipped"]))
    .orderBy("t.id"),
);
const DEPENDENTS = question<{ id: number }>()((tables, given) =>
  neighboursIn(tables, "dependent")
    .innerJoin("task_dependencies as d", "d.task_id", "t.id")
    .where("d.depends_on", "=", given("id"))
    .orderBy((eb) => eb("t.status", "in", ["done", "skipped"]))
    .orderBy("t.id"),
);
const EDGES = question<{ ids: string }>()((tables, given) =>
  tables
    .selectFrom("task_dependencies")
    .select(["task_id as task", "depends_on"])
    .where("task_id", "in", valuesIn<number>(given("ids")))
    .where("depends_on", "in", valuesIn<number>(given("ids")))
    .orderBy("task_id")
    .orderBy("depends_on"),
);
