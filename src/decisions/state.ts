import { didYouMean } from "../lib/nearest.ts";
import { someOf } from "../lib/some-of.ts";
import { decidedOn } from "../projections/all.ts";
import type { IndexedRowsOf } from "../projections/projection.ts";
import type { ReadModel } from "../read-model/read-model.ts";
import { Refusal } from "./refusal.ts";

/** What a decision looks at: the board, the names that tasks refer to, comments, flags, learnings, prompts, merges, loops and whether work is paused, as of one position. Lacks it a table: `decidedOn`, src/projections/all.ts. */
export interface State extends IndexedRowsOf<typeof decidedOn> {}

export function stateOf(readModel: ReadModel): State {
  return readModel.rowsOf(decidedOn);
}

/** @throws Refusal `not_found` */
export function requireSession(state: Pick<State, "sessions">, id: string) {
  const session = state.sessions.get(id);
  if (!session) throw noSession(id);
  return session;
}

export function noSession(id: string): Refusal {
  return new Refusal(
    "not_found",
    `There is no session ${id}. Run \`signalbox session list\` to see all sessions.`,
  );
}

/** @param field of the input, that names it. @throws Refusal `not_found` */
export function requireTask(state: Pick<State, "tasks" | "statusChanges">, id: number, field = "task") {
  const task = state.tasks.get(id);
  if (!task) throw noSuchTask(state, id, field);
  return task;
}

export function noSuchTask(
  state: Pick<State, "tasks" | "statusChanges">,
  id: number,
  field = "task",
): Refusal {
  const why = wasDeleted(state, id) ? `Task ${id} was deleted` : `There is no task ${id}`;
  return new Refusal("not_found", `${why}. Run \`signalbox task list\` to see all tasks.`, { field });
}

/** True for an id that a task had which is not on the board any more: its history stays. */
export function wasDeleted(state: Pick<State, "tasks" | "statusChanges">, id: number): boolean {
  return state.tasks.get(id) === undefined && state.statusChanges.first(1, { task_id: id }).length > 0;
}

/** True for an id that a task has, or had before it was deleted. */
export function wasEver(state: Pick<State, "tasks" | "statusChanges">, id: number): boolean {
  return state.tasks.get(id) !== undefined || wasDeleted(state, id);
}

/** @param field of the input, that names it. @throws Refusal `not_found` */
export function requireFeature(state: Pick<State, "features">, name: string, field = "feature") {
  const feature = state.features.get(name);
  if (!feature) throw noFeature(state, name, field);
  return feature;
}

/** The refusal of an unknown feature's name, with the nearest name and the existing ones. */
export function noFeature({ features }: Pick<State, "features">, name: string, field = "feature"): Refusal {
  return noneNamed("feature", name, features.scan(), field);
}

/** @param field of the input, that names it. @throws Refusal `not_found` */
export function requireDiscipline(state: Pick<State, "disciplines">, name: string, field = "discipline") {
  const discipline = state.disciplines.get(name);
  if (!discipline) throw noDiscipline(state, name, field);
  return discipline;
}

/** The same for a discipline. */
export function noDiscipline(
  { disciplines }: Pick<State, "disciplines">,
  name: string,
  field = "discipline",
): Refusal {
  return noneNamed("discipline", name, disciplines.scan(), field);
}

function noneNamed(
  noun: string,
  name: string,
  there: readonly { readonly name: string }[],
  field: string,
): Refusal {
  const names = there.map((row) => row.name);
  const known = names.length > 0 ? someOf(names.map((one) => `"${one}"`)) : "none yet";
  return new Refusal(
    "not_found",
    `There is no ${noun} "${name}".${didYouMean(name, names)} The ${noun}s are: ${known}.`,
    { field },
  );
}
