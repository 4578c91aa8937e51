import type { TaskStatus } from "../events/types/fields.ts";
import type { StatusChange } from "../projections/board/tables.ts";
import { isOurs } from "../read-model/own.ts";
import { question } from "../read-model/question.ts";
import type { ReadModel } from "../read-model/read-model.ts";
import { type CostSum, costSince } from "./costs.ts";
import { listInbox } from "./inbox.ts";
import type { InboxItem } from "./inbox-item.ts";
import { type RunningLoop, runningLoops } from "./loops.ts";
import { type WorkPause, workPause } from "./pause.ts";
import { type RunningSession, runningSessions } from "./running-sessions.ts";
import { countReady, countTasks } from "./tasks.ts";

/** What a live view shows, all of it as of one position. */
export interface Overview {
  readonly position: number;
  readonly sessions: readonly RunningSession[];
  /** How many tasks have each status; a status without tasks is absent. */
  readonly counts: Partial<Record<TaskStatus, number>>;
  /** How many of the pending ones could be started now. */
  readonly ready: number;
  /** In the order of ids. */
  readonly inbox: readonly InboxItem[];
  readonly overlaps: readonly FileOverlap[];
  /** Drivers that started and have not said that they stopped. */
  readonly loops: readonly RunningLoop[];
  /** Why no driver starts a session; null while work goes on. */
  readonly paused: WorkPause | null;
  readonly cost: CostSum;
  /** Projections that an error stopped; except for another program's own, what is shown does not go on. */
  readonly stopped: readonly { projection: string; error: string | null; own: boolean }[];
}

/** A file that two running sessions both change. */
interface FileOverlap {
  readonly path: string;
  readonly session_id: string;
  readonly task_id: number;
  readonly other_session_id: string;
  readonly other_task_id: number;
}

/** @param since from when on sessions count that have ended, as for `costSince` */
export function overview(readModel: ReadModel, since: string): Overview {
  return {
    position: readModel.position(),
    sessions: runningSessions(readModel),
    counts: countTasks(readModel),
    ready: countReady(readModel),
    inbox: listInbox(readModel),
    overlaps: readModel.all(OVERLAPS, {}),
    loops: runningLoops(readModel),
    paused: workPause(readModel) ?? null,
    cost: costSince(readModel, since),
    stopped: stoppedProjections(readModel),
  };
}

export function stoppedProjections(readModel: ReadModel): Overview["stopped"] {
  return readModel.checkpoints
    .stopped()
    .map(({ name, error }) => ({ projection: name, error, own: !isOurs(name) }));
}

/** From the sessions that run: the view alone would go through all files that were ever changed. */
const OVERLAPS = question()((tables) =>
  tables
    .selectFrom("sessions as s")
    .crossJoin("file_overlaps as o")
    .selectAll("o")
    .where("s.completed_at", "is", null)
    .whereRef("o.session_id", "=", "s.id")
    .orderBy("o.path")
    .orderBy("o.session_id")
    .orderBy("o.other_session_id")
    .limit(100),
);

/** Changes of tasks' statuses after a position, in log order. */
export function statusChangesAfter(readModel: ReadModel, position: number): StatusChange[] {
  return readModel.all(STATUS_CHANGES, { position });
}

const STATUS_CHANGES = question<{ position: number }>()((tables, given) =>
  tables
    .selectFrom("status_changes")
    .selectAll()
    .where("position", ">", given("position"))
    .orderBy("position")
    .orderBy("ordinal"),
);
