import { pause } from "../projections/pause.ts";
import type { ReadView } from "../read-model/read-view.ts";
import { readyTasks, type TaskView } from "./tasks.ts";

/** Why no driver starts a session. */
export interface WorkPause {
  /** Of the event that paused the work. */
  readonly position: number;
  readonly actor: string;
  readonly reason: string | null;
  readonly since: string;
}

/** Undefined while work goes on. */
export function workPause(readModel: ReadView): WorkPause | undefined {
  const row = readModel.rowsOf(pause.tables).pause.get(1);
  return row && { position: row.position, actor: row.actor, reason: row.reason, since: row.since };
}

/** The tasks to start now, the next one first: none while work is paused. */
export function startableTasks(readModel: ReadView, limit = -1): TaskView[] {
  return workPause(readModel) ? [] : readyTasks(readModel, limit);
}
