import { type State, wasEver } from "../../../decisions/state.ts";
import { findPath } from "../../../lib/graph-path.ts";
import { createTask, type NewTask } from "../../../operations/tasks.ts";
import { nextTaskId } from "../../../projections/board/task-rows.ts";
import type { LeftOut, Place, Row } from "./row.ts";

/** A task of a foreign source, in our words. */
export interface ForeignTask extends Place {
  /** The source's name for it. */
  readonly ref: string;
  /** Its id there, kept here if that is free. */
  readonly id?: number | undefined;
  readonly fields: Omit<NewTask, "task" | "depends_on">;
  /** Its dependencies, by the source's names. */
  readonly depends_on: readonly string[];
  readonly changes: readonly string[];
  /** As the source has it. */
  readonly content: unknown;
  /** Its author, if not the importer. */
  readonly actor?: string | undefined;
}

/**
 * The tasks as rows, dependencies first, otherwise in the given order. A task with a duplicate
 * name, or with circular dependencies, is refused.
 */
export function taskRows(tasks: readonly ForeignTask[]): (Row | LeftOut)[] {
  const byRef = new Map<string, ForeignTask>();
  const rows: (Row | LeftOut)[] = [];
  for (const task of tasks) {
    const first = byRef.get(task.ref);
    if (first) rows.push(refused(task, `its id "${task.ref}" is already used by ${first.at}`));
    else byRef.set(task.ref, task);
  }
  const ordered = [...inOrder(byRef)];
  const hasCircles = leadsBack(ordered, byRef);
  for (const task of ordered) {
    const circle = hasCircles ? circleOf(task, byRef) : undefined;
    if (!circle) rows.push(taskRow(task));
    else
      rows.push(
        refused(task, `its dependencies form a circle: ${circle.map((ref) => `"${ref}"`).join(" → ")}`),
      );
  }
  return rows;
}

function refused({ at, what, time }: Place, why: string): LeftOut {
  return { at, what, time, leftOut: "refused", why };
}

function taskRow(task: ForeignTask): Row {
  const { at, what, time, ref, changes, content, actor } = task;
  return {
    ...{ at, what, time, ref, changes, content, actor },
    key: `task ${ref}`,
    type: "task.created",
    plan({ state, taskOf, note }) {
      const depends_on = task.depends_on.map(taskOf);
      const id = freeId(state, task.id);
      if (task.id !== undefined && id === undefined) {
        note(`its id ${task.id} is taken here: it becomes task ${nextTaskId(state)}`);
      }
      return createTask({ ...task.fields, task: id, depends_on }).plan(state);
    },
  };
}

function freeId(state: State, id: number | undefined): number | undefined {
  const taken = id === undefined || wasEver(state, id);
  return taken ? undefined : id;
}

/** Depth first without recursion: a chain of dependencies may overflow the stack. */
function* inOrder(byRef: ReadonlyMap<string, ForeignTask>): Generator<ForeignTask> {
  const seen = new Set<string>();
  for (const start of byRef.values()) {
    const path = [{ task: start, next: 0 }];
    if (seen.has(start.ref)) continue;
    seen.add(start.ref);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const ref = top.task.depends_on[top.next++];
      if (ref === undefined) {
        yield top.task;
        path.pop();
        continue;
      }
      const task = byRef.get(ref);
      if (!task || seen.has(ref)) continue;
      seen.add(ref);
      path.push({ task, next: 0 });
    }
  }
}

/** True if a task comes after its dependent: in this order, only in a circle. */
function leadsBack(ordered: readonly ForeignTask[], byRef: ReadonlyMap<string, ForeignTask>): boolean {
  const before = new Set<string>();
  for (const { ref, depends_on } of ordered) {
    if (depends_on.some((other) => byRef.has(other) && !before.has(other))) return true;
    before.add(ref);
  }
  return false;
}

/** The path from a task over its dependencies back to itself, or undefined. */
function circleOf(
  { ref, depends_on }: ForeignTask,
  byRef: ReadonlyMap<string, ForeignTask>,
): readonly string[] | undefined {
  for (const other of depends_on) {
    const way = findPath(other, ref, (at) => byRef.get(at)?.depends_on ?? []);
    if (way) return [ref, ...way];
  }
  return undefined;
}
