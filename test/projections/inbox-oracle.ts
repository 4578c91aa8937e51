import type { InboxItem } from "../../src/queries/inbox-item.ts";
import type { ReadModel } from "../../src/read-model/read-model.ts";

/** Columns of items that are taken from other rows, and are not compared. */
type Row = Omit<InboxItem, "ended" | "changed" | "denied" | "blocks_work">;

type Stored = Omit<Row, "options" | "feature_exists" | "plan"> & {
  readonly options: string | null;
  readonly feature_exists: 0 | 1;
};

/**
 * What waits for a human, found out anew from all other tables: slow, and the oracle of `inbox_items`.
 */
export function inboxFromTables(readModel: ReadModel, all = false): Row[] {
  const sql = `SELECT * FROM (${all ? INBOX_OF_ALL : INBOX}) ${BY_URGENCY}`;
  const rows = readModel.database.prepare<[], Stored>(sql).all();
  return rows.map(({ options, feature_exists, ...row }) => ({
    ...row,
    options: options ? options.split("\n") : [],
    feature_exists: feature_exists === 1,
    // The histories have no plans.
    plan: null,
  }));
}

/** The same of an item. What the sessions of a row said is in tables of their own. */
export function shownOf({ ended: _, changed: __, denied: ___, blocks_work: ____, ...row }: InboxItem): Row {
  return row.kind === "stall" || row.kind === "acceptance" ? { ...row, detail: null } : row;
}

const inboxSql = (given: {
  readonly questions: string;
  readonly blockers: string;
  readonly lastSessions?: "NOT MATERIALIZED";
}) => `
  WITH last_sessions (session, task, title, status) AS ${given.lastSessions ?? "MATERIALIZED"} (
    SELECT s.id, t.id, t.title, t.status FROM tasks t CROSS JOIN sessions s ON s.started_position = t.last_start
    WHERE t.last_start > 0)
  SELECT q.id, 'question' AS kind, q.task_id AS task, t.title AS task_title, q.session_id AS session, q.state,
    q.question AS text, NULL AS of_kind, q.options, q.preferred, NULL AS detail, NULL AS other_task, NULL AS gate,
    NULL AS feature, 0 AS feature_exists
  FROM questions q JOIN tasks t ON t.id = q.task_id
  WHERE ${given.questions}
  UNION ALL
  SELECT b.id, 'blocker', b.task_id, t.title, b.session_id, b.state, b."on", b.kind, NULL, NULL, b.detail, b.depends_on,
    NULL, NULL, 0
  FROM blockers b JOIN tasks t ON t.id = b.task_id
  WHERE ${given.blockers}
  UNION ALL
  SELECT b.id, 'contest', b.task_id, l.title, b.session_id, b.state, b."on", b.kind, NULL, NULL, b.detail, b.depends_on,
    NULL, NULL, 0
  FROM last_sessions l CROSS JOIN blockers b ON b.session_id = l.session JOIN tasks c ON c.id = b.depends_on
  WHERE +b.task_id = l.task AND b.contests = 1 AND +b.state = 'resolved'
    AND c.status IN ('done', 'skipped') AND l.status NOT IN ('done', 'skipped')
  UNION ALL
  SELECT s.id, 'proposal', coalesce(t.id, d.id), coalesce(t.title, d.title), s.session_id, s.state, d.title, s.kind, NULL,
    NULL, nullif(d.description, ''), s.proposed_task, NULL, s.feature, s.feature IS NOT NULL AND NOT s.unknown_feature
  FROM suggestions s JOIN tasks d ON d.id = s.proposed_task LEFT JOIN tasks t ON t.id = s.task_id
  WHERE s.state = 'proposed'
  UNION ALL
  SELECT w.declared, 'gate_approval', w.task_id, t.title, NULL, 'waiting',
    CASE count(*) WHEN 1 THEN w.command
      ELSE group_concat('gate ' || w.gate || ': ' || w.command, char(10) ORDER BY w.gate) END,
    NULL, NULL, NULL, NULL, NULL, CASE count(*) WHEN 1 THEN w.gate END, NULL, 0
  FROM gates w JOIN tasks t ON t.id = w.task_id
  WHERE w.approval = 'waiting' AND t.status NOT IN ('done', 'skipped')
  GROUP BY w.declared
  UNION ALL
  SELECT g.last_position, 'gate', g.task_id, t.title, NULL, g.state, g.command, NULL, NULL, NULL,
    coalesce(nullif(g.last_stderr, ''), g.last_stdout), NULL, g.gate, NULL, 0
  FROM gates g JOIN tasks t ON t.id = g.task_id
  WHERE g.state = 'escalated'
  UNION ALL
  SELECT (SELECT max(c.position) FROM status_changes c WHERE c.task_id = t.id), 'acceptance', t.id, t.title,
    (SELECT s.id FROM sessions s WHERE s.task_id = t.id ORDER BY s.started_position DESC LIMIT 1),
    t.status, t.title, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0
  FROM tasks t
  WHERE t.status = 'needs_input' AND t.awaiting_acceptance = 1
  UNION ALL
  SELECT t.stalled_at, 'stall', t.id, t.title, s.id, 'stalled',
    CASE t.stalled_by WHEN 'partials' THEN t.partial_closings_in_a_row || iif(t.partial_closings_in_a_row = 1, ' session', ' sessions') || ' in a row ended with partial'
      ELSE t.no_progress_in_a_row || iif(t.no_progress_in_a_row = 1, ' session', ' sessions') || ' in a row did not get on' END,
    t.stalled_by, NULL, NULL, NULL, NULL, NULL, NULL, 0
  FROM tasks t JOIN sessions s ON s.started_position = t.last_start
  WHERE t.status = 'needs_input' AND t.stalled_by IS NOT NULL
  UNION ALL
  SELECT t.held_at, 'hold', t.id, t.title, s.id, 'held',
    t.cancelled_in_a_row || ' sessions in a row were cancelled. The last one: ' || coalesce(s.end_reason, 'no reason given'),
    s.cause, NULL, NULL, NULL, NULL, NULL, NULL, 0
  FROM tasks t JOIN sessions s ON s.started_position = t.last_start
  WHERE t.status = 'pending' AND t.held_at > 0
  UNION ALL
  SELECT m.position, 'merge', m.task_id, t.title, NULL, m.state,
    CASE m.state
      WHEN 'proposed' THEN m.branch || ' can be merged into ' || m.base
      WHEN 'conflicted' THEN m.branch || ' conflicts with ' || m.base || ' in '
        || coalesce((SELECT group_concat(value, ', ') FROM json_each(m.files)), 'files whose names cannot be shown')
      WHEN 'gate_failed' THEN 'gate ' || m.gate || ' fails when ' || m.branch || ' is merged into ' || m.base || ': ' || m.command
      ELSE m.branch || ' waits to be merged into ' || m.base || ': ' || coalesce(m.folder || ': ', '') || m.reason END,
    NULL, NULL, NULL,
    nullif(CASE m.state WHEN 'gate_failed' THEN coalesce(m.output || char(10) || char(10), '') ELSE '' END
      || coalesce((SELECT group_concat(value, char(10)) FROM json_each(m.commands)), ''), ''),
    NULL, m.gate, NULL, 0
  FROM merges m JOIN tasks t ON t.id = m.task_id
  WHERE m.state IN ('proposed', 'conflicted', 'gate_failed', 'waiting')
  UNION ALL
  SELECT f.position, 'setup', f.task_id, t.title, NULL, 'failed', 'the setup of worktrees fails: ' || f.command, NULL, NULL, NULL, nullif(f.output, ''), NULL, NULL, NULL, 0
  FROM failed_setups f JOIN tasks t ON t.id = f.task_id
  UNION ALL
  SELECT f.id, 'flag', f.task_id, l.title, f.session_id, f.severity, f.what, f.category, NULL, NULL, NULL, NULL, NULL, NULL, 0
  FROM last_sessions l CROSS JOIN flags f ON f.session_id = l.session
  WHERE l.status <> 'skipped' AND f.severity = 'blocking' AND f.acted_at IS NULL AND +f.task_id = l.task`;

/** Two queries, so that the many questions that are only information are not looked at where they are not wanted. */
const WAITING = {
  questions: "q.state IN ('open', 'raised') AND (q.state = 'open' OR q.blocking = 1)",
  blockers: "b.state = 'open'",
};
const INBOX = inboxSql(WAITING);
const INBOX_OF_ALL = inboxSql({
  questions: "q.state IN ('open', 'raised', 'informational')",
  blockers: "b.state IN ('open', 'raised', 'informational')",
});

const URGENCY = {
  gate: 1,
  question: 2,
  stall: 3,
  setup: 4,
  blocker: 5,
  contest: 6,
  proposal: 7,
  hold: 8,
  flag: 9,
  acceptance: 10,
  gate_approval: 11,
  merge: 12,
};

const RANKS = Object.entries(URGENCY).map(([kind, rank]) => `WHEN '${kind}' THEN ${rank}`);
const BY_URGENCY = `ORDER BY CASE kind ${RANKS.join(" ")} END, id, kind`;

/** The items that block work, found out anew: their tasks stand still until a human acts. */
export function blockingFromTables(readModel: ReadModel): string[] {
  const rows = readModel.database.prepare<
    [],
    { item: string }
  >(`SELECT kind || '-' || id AS item FROM (${INBOX}) i
    WHERE EXISTS (SELECT 1 FROM tasks t WHERE t.id = i.task AND (
      t.status IN ('needs_input', 'blocked') AND (i.kind IN ('question', 'stall', 'gate', 'acceptance', 'gate_approval')
        OR i.kind = 'blocker' AND NOT EXISTS (SELECT 1 FROM tasks o WHERE o.id = i.other_task))
      OR t.status = 'pending' AND i.kind IN ('hold', 'gate_approval', 'setup')
      OR i.kind = 'setup' AND t.status IN ('needs_input', 'blocked')))`);
  return rows.all().map(({ item }) => item);
}
