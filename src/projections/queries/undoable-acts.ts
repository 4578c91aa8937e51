import type { Gate, Task } from "../board/tables.ts";
import { whyFinal } from "../board/taking-back.ts";
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

/**
 * Acts of humans that can be taken back, or could until the session started that runs; the last one first, at most `limit` of
 * them, from among the newest acts.
 */
export function undoableActs(readModel: ReadModel, limit: number): UndoableAct[] {
  const undoable: UndoableAct[] = [];
  for (const row of readModel.prepared<[], RecentAct>(RECENT_ACTS).all()) {
    const {
      status,
      last_start,
      open_session,
      first_position,
      last_position,
      last_started,
      in_prompt,
      ...act
    } = row;
    const gate = act.kind === "gate_approval" ? { last_position, last_started } : undefined;
    const final = whyFinal({ status, last_start }, first_position, gate);
    const isRead = final === "session_started" && open_session !== null && last_start > act.position;
    if (final && !isRead) continue;
    undoable.push({
      ...act,
      read_by: isRead ? open_session : null,
      read_at: isRead ? last_start : null,
      in_prompt: isRead && in_prompt === 1,
    });
    if (undoable.length === limit) break;
  }
  return undoable;
}

type RecentAct = Omit<UndoableAct, "read_by" | "read_at" | "in_prompt"> &
  Pick<Task, "status" | "last_start" | "open_session"> &
  Pick<Gate, "last_position" | "last_started"> & {
    /** Of the gates of one declaration the first that was decided on: all of them are taken back, or none. */
    readonly first_position: number;
    readonly in_prompt: number;
  };

/** So many acts are looked at: as sessions go on, what can still be taken back is among the newest. */
const LOOKED_AT = 500;
const NEWEST = `ORDER BY position DESC LIMIT ${LOOKED_AT}`;

/** The newest acts that hold, by their indexes, but for what a session before the last one has read. */
const RECENT_ACTS = `
  WITH acts AS MATERIALIZED (
    SELECT * FROM (
      SELECT id, 'question' AS kind, task_id AS task, state AS act, question AS text, answer, acted_at AS position,
        acted_at AS first_position, NULL AS last_position, NULL AS last_started
      FROM questions WHERE acted_at IS NOT NULL ${NEWEST})
    UNION ALL
    SELECT * FROM (
      SELECT id, 'blocker', task_id, state, "on", NULL, acted_at AS position, acted_at, NULL, NULL
      FROM blockers WHERE acted_at IS NOT NULL ${NEWEST})
    UNION ALL
    SELECT * FROM (
      SELECT s.id, 'proposal', d.id, s.state, d.title, NULL, s.acted_at AS position, s.acted_at, NULL, NULL
      FROM suggestions s JOIN tasks d ON d.id = s.proposed_task
      WHERE s.acted_at IS NOT NULL ${NEWEST})
    UNION ALL
    SELECT g.declared, 'gate_approval', g.task_id, min(g.approval), group_concat(g.command, char(10) ORDER BY g.gate), NULL,
      max(g.approval_position), min(g.approval_position), max(g.last_position), max(g.last_started)
    FROM (
      SELECT DISTINCT task_id, declared FROM (
        SELECT task_id, declared, approval_position AS position FROM gates
        WHERE approval_position IS NOT NULL ${NEWEST})
    ) newest CROSS JOIN gates g ON g.task_id = newest.task_id AND g.declared = newest.declared
    WHERE +g.approval_position IS NOT NULL
    GROUP BY g.declared
    ${NEWEST}
  )
  SELECT a.*, t.status, t.last_start, t.open_session,
    EXISTS (SELECT 1 FROM prompts p, json_each(p.positions) part
      WHERE p.session_id = t.open_session AND part.value = a.position) AS in_prompt
  FROM acts a JOIN tasks t ON t.id = a.task
  WHERE a.position > (
    SELECT coalesce(max(s.started_position), 0) FROM sessions s
    WHERE s.task_id = t.id AND s.started_position < t.last_start)
  ORDER BY a.position DESC`;
