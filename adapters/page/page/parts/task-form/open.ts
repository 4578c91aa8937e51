import { createStore } from "../../store.ts";

/** The form that is open: to change a task, or for a new one. */
export const taskForm = createStore<{ readonly task?: number } | undefined>(undefined);

/** Opens the form of a task; without one, that of a new task. */
export function openTaskForm(task?: number): void {
  taskForm.set(task === undefined ? {} : { task });
}

/** The name of the draft that the form keeps. */
export function draftName(task: number | undefined): string {
  return task === undefined ? "new-task" : `change-${task}`;
}
