import type { ReadModel } from "../read-model.ts";
import type { InboxItem } from "./inbox.ts";

/** What a human did with an item of the inbox, as long as it can be taken back, or a session that started since then runs. */
export interface UndoableAct {
  /** Of the item, as `signalbox inbox undo` takes it. */
  readonly id: number;
  readonly kind: Extract<InboxItem["kind"], "question" | "blocker" | "proposal" | "gate_approval">;
  /** The task whose next session ends that. */
  readonly task: number;
  readonly act: "answered" | "dismissed" | "resolved" | "approved" | "rejected";
  /** The item's own text. */
  readonly text: string;
  readonly answer: string | null;
  /** Of the act. */
  readonly position: number;
  /** The session that started since then, which runs; null where the act can be taken back. */
  readonly read_by: string | null;
  /** Where that session started. */
  readonly read_at: number | null;
  /** True where a prompt was built for that session that has the act in it. */
  readonly in_prompt: boolean;
}

/** Acts of humans that can be taken back (rules.md, Humans), the last one first, at most `limit` of them. */
export function undoableActs(readModel: ReadModel, limit: number): UndoableAct[] {
  const rows = readModel.prepared<[number], Omit<UndoableAct, "in_prompt"> & { in_prompt: number }>(UNDOABLE);
  return rows.all(limit).map((row) => ({ ...row, in_prompt: row.in_prompt === 1 }));
}

/** The conditions are those of `undo` in src/decisions/inbox.ts. */
const UNDOABLE = `
  WITH acts AS (
    SELECT id, 'question' AS kind, task_id AS task, state AS act, question AS text, answer, acted_at AS position
    FROM questions
    WHERE state IN ('answered', 'dismissed') AND state_without_act IS NOT NULL AND acted_at IS NOT NULL
    UNION ALL
    SELECT id, 'blocker', task_id, state, "on", NULL, acted_at
    FROM blockers
    WHERE state IN ('resolved', 'dismissed') AND state_without_act IS NOT NULL AND acted_at IS NOT NULL
    UNION ALL
    SELECT s.id, 'proposal', d.id, s.state, d.title, NULL, s.acted_at
    FROM suggestions s JOIN tasks d ON d.id = s.proposed_task
    WHERE s.state IN ('approved', 'rejected') AND s.acted_at IS NOT NULL
      AND (d.open_session IS NULL OR d.last_start > s.acted_at)
    UNION ALL
    SELECT declared, 'gate_approval', task_id, min(approval), group_concat(command, char(10) ORDER BY gate), NULL,
      max(approval_position)
    FROM gates
    WHERE approval IN ('approved', 'rejected') AND approval_position IS NOT NULL
    GROUP BY declared
    HAVING max(last_position) IS NULL AND max(last_started) IS NULL
  )
  SELECT a.*, CASE WHEN t.last_start > a.position THEN t.open_session END AS read_by,
    CASE WHEN t.last_start > a.position THEN t.last_start END AS read_at,
    EXISTS (SELECT 1 FROM prompts p, json_each(p.positions) part
      WHERE p.session_id = t.open_session AND part.value = a.position) AS in_prompt
  FROM acts a JOIN tasks t ON t.id = a.task
  WHERE (a.kind <> 'gate_approval' OR t.status <> 'done') AND (t.last_start < a.position
    OR (t.open_session IS NOT NULL AND a.position > (
      SELECT coalesce(max(s.started_position), 0) FROM sessions s
      WHERE s.task_id = t.id AND s.started_position < t.last_start)))
  ORDER BY a.position DESC LIMIT ?`;
