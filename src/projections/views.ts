/**
 * Views with every column of the seeds' schemas, for whoever reads the read model with SQL (design.md, Projections).
 * Each is one CREATE VIEW statement, kept as it is in the database.
 */

/** Seed 000's table, and `text`, which the seed forgot. */
const taskSignals = `CREATE VIEW task_signals AS
  SELECT s.id, s.task_id, d.id AS discipline_id, s.session_id, s.verb,
    s.payload ->> 'summary' AS summary,
    s.payload ->> 'remaining' AS remaining,
    s.payload ->> 'reason' AS reason,
    s.payload ->> 'question' AS question,
    q.options,
    s.payload ->> 'preferred' AS preferred,
    s.blocking,
    s.payload ->> 'what' AS what,
    s.payload ->> 'severity' AS severity,
    s.payload ->> 'category' AS category,
    s.payload ->> 'kind' AS kind,
    CASE s.verb WHEN 'learned' THEN coalesce(s.payload ->> 'scope', 'feature') END AS scope,
    s.payload ->> 'rationale' AS rationale,
    s.payload ->> 'why' AS why,
    f.id AS feature_id,
    s.payload ->> 'on' AS "on",
    s.payload ->> 'detail' AS detail,
    q.answer,
    s.created,
    s.payload ->> 'text' AS text
  FROM signals s
    LEFT JOIN tasks t ON t.id = s.task_id
    LEFT JOIN disciplines d ON d.name = t.discipline
    LEFT JOIN features f ON f.name = coalesce(s.payload ->> 'feature', t.feature)
    LEFT JOIN questions q ON q.id = s.id`;

/** Seed 002's table: comments of people and signals of agents in one timeline. */
const taskComments = `CREATE VIEW task_comments AS
  SELECT c.id, c.task_id, NULL AS session_id, c.author, NULL AS signal_verb, NULL AS signal_payload,
    NULL AS signal_answered, c.body, c.created
  FROM comments c
  UNION ALL
  SELECT s.id, s.task_id, s.session_id, coalesce(t.discipline, 'agent'), s.verb, s.payload, q.answer, s.body, s.created
  FROM signals s
    LEFT JOIN tasks t ON t.id = s.task_id
    LEFT JOIN questions q ON q.id = s.id`;

/** Seed 003's table; \`state_history\` is its JSON array of states with their times. */
const ralphSessions = `CREATE VIEW ralph_sessions AS
  SELECT s.id, s.task_id AS ticket_id, s.outcome, s.current_state,
    (SELECT json_group_array(json_object('state', h.state, 'timestamp', h.entered_at, 'metadata', json(h.metadata)))
      FROM (SELECT * FROM session_states WHERE session_id = s.id ORDER BY ordinal) h) AS state_history,
    s.started_at, s.completed_at
  FROM sessions s`;

/** Tasks that could be started now, the next one first (rules.md, Task statuses). */
const readyTasks = `CREATE VIEW ready_tasks AS
  SELECT * FROM tasks WHERE status = 'pending' AND open_dependencies = 0 ORDER BY priority_rank, id`;

/** The counters of rules.md, Stagnation. */
const stagnation = `CREATE VIEW stagnation AS
  SELECT id AS task_id, stuck_count, sessions, inferred_stucks, failed_gate_attempts, partials_in_a_row,
    unchanged_in_a_row
  FROM tasks`;

/** Files that two sessions change which run at the same time, each pair once. */
const fileOverlaps = `CREATE VIEW file_overlaps AS
  SELECT a.path, a.session_id, a.task_id, b.session_id AS other_session_id, b.task_id AS other_task_id
  FROM session_files a JOIN session_files b ON b.path = a.path AND b.session_id > a.session_id
  WHERE a.open = 1 AND b.open = 1`;

export const viewStatements: readonly string[] = [
  taskSignals,
  taskComments,
  ralphSessions,
  readyTasks,
  stagnation,
  fileOverlaps,
];
