import type { ReadModel } from "../read-model.ts";

/** A file that another session changes too, while both run. */
export interface Overlap {
  readonly path: string;
  /** The other session, and its task. */
  readonly session: string;
  readonly task: number;
}

export function overlapsOf(readModel: ReadModel, session: string): Overlap[] {
  return readModel
    .prepared<[string, string], Overlap>(
      `SELECT path, other_session_id AS session, other_task_id AS task FROM file_overlaps WHERE session_id = ?
       UNION SELECT path, session_id, task_id FROM file_overlaps WHERE other_session_id = ? ORDER BY 1, 2`,
    )
    .all(session, session);
}
