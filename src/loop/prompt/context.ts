import { sessions } from "../../projections/board/session-tables.ts";
import type { Session } from "../../projections/board/tables.ts";
import { findTask, type TaskView } from "../../queries/tasks.ts";
import { question } from "../../read-model/question.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { PromptError } from "./prompt-error.ts";

/** The input of a prompt's parts: the read model at one position, and the task. */
export interface Context {
  readonly readModel: ReadModel;
  readonly task: TaskView;
  /** The session that will read it, if known. */
  readonly session: string | undefined;
  /** The task's ended sessions, newest first. */
  readonly sessions: readonly Session[];
  /** The position at which the task was last done; 0 if never. Everything before it is settled. */
  readonly lastDone: number;
  /** The length limit, in characters, of one text with this share of the budget. */
  limit(share: number): number;
}

/** @param room the characters available besides the stable part */
export function openContext(
  readModel: ReadModel,
  task: TaskView,
  { room, session }: { readonly room: number; readonly session?: string | undefined },
): Context {
  return {
    readModel,
    task,
    session,
    sessions: endedSessions(readModel, task.id),
    lastDone: lastDone(readModel, task.id),
    limit: (share) => Math.max(SHORTEST, Math.floor(room * share)),
  };
}

/** The task of a prompt. @throws PromptError `not_found` */
export function taskOfPrompt(readModel: ReadModel, id: number): TaskView {
  const task = findTask(readModel, id);
  if (task) return task;
  throw new PromptError("not_found", `There is no task ${id}. Run \`signalbox task list\` to see all tasks.`);
}

/** The shortest limit of a text, however small the budget. */
const SHORTEST = 200;

function endedSessions(readModel: ReadModel, task: number): Session[] {
  const rows = readModel.rowsOf({ sessions });
  return readModel.all(ENDED, { task }).flatMap(({ id }) => rows.sessions.get(id) ?? []);
}

const ENDED = question<{ task: number }>()((tables, given) =>
  tables
    .selectFrom("sessions")
    .select("id")
    .where("task_id", "=", given("task"))
    .where("completed_at", "is not", null)
    .orderBy("started_position", "desc"),
);

function lastDone(readModel: ReadModel, task: number): number {
  return readModel.get(LAST_DONE, { task })?.position ?? 0;
}

const LAST_DONE = question<{ task: number }>()((tables, given) =>
  tables
    .selectFrom("status_changes")
    .select(({ fn }) => fn.max<number | null>("position").as("position"))
    .where("task_id", "=", given("task"))
    .where("to_status", "=", "done"),
);
