import type { MergeRow } from "../board/merges.ts";
import type { ReadModel } from "../read-model.ts";

/** A task's merge, for people and drivers. */
export interface MergeView extends Omit<MergeRow, "files" | "commands"> {
  readonly task_title: string;
  readonly task_status: string;
  /** Its place in the queue, 1 for the next; null where it is not in it. */
  readonly place: number | null;
  readonly files: readonly string[];
  readonly commands: readonly string[];
}

/** The merges of tasks: the queue first, in its order, then by task. */
export function listMerges(readModel: ReadModel): MergeView[] {
  return readModel
    .prepared<[], MergeRow & Pick<MergeView, "task_title" | "task_status" | "place">>(MERGES)
    .all()
    .map(({ files, commands, ...row }) => ({
      ...row,
      files: JSON.parse(files),
      commands: JSON.parse(commands),
    }));
}

/** What landed of each task, the last first: the branch's commit as it was, and the base's since then. */
export function landingsOf(
  readModel: ReadModel,
  task?: number,
): { readonly task: number; readonly commit: string; readonly to: string }[] {
  return readModel
    .prepared<{ task: number | null }, { task: number; commit: string; to: string }>(
      `SELECT task_id AS task, commit_id AS "commit", to_commit AS "to" FROM landings
       WHERE :task IS NULL OR task_id = :task ORDER BY position DESC`,
    )
    .all({ task: task ?? null });
}

const MERGES = `
  SELECT m.*, t.title AS task_title, t.status AS task_status,
    CASE WHEN m.state IN ('queued', 'running')
      THEN row_number() OVER (PARTITION BY m.state IN ('queued', 'running') ORDER BY m.state <> 'running', m.queued) END AS place
  FROM merges m JOIN tasks t ON t.id = m.task_id
  ORDER BY place IS NULL, place, m.task_id`;
