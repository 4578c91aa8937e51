import { type ItemKind, URGENCY } from "../board/inbox-tables.ts";

/*
 * Which items wait is kept (src/projections/board/inbox-items.ts); here is what is shown of them.
 */

/** The most urgent kind first, the oldest first within it, and by kind where an id is that of two items. */
const ORDER = "ORDER BY rank, id, kind";
const KEPT = "SELECT rank, id, kind, task_id FROM inbox_items";

/** The questions and blockers too that are only information. */
const WITH_INFORMATION = `${KEPT} UNION
  SELECT ${URGENCY.question}, q.id, 'question', q.task_id FROM questions q JOIN tasks t ON t.id = q.task_id
  WHERE q.state IN ('open', 'raised', 'informational')
  UNION
  SELECT ${URGENCY.blocker}, b.id, 'blocker', b.task_id FROM blockers b JOIN tasks t ON t.id = b.task_id
  WHERE b.state IN ('open', 'raised', 'informational')`;

/**
 * Some items with what is shown of them. A proposal is shown by its draft's present words, since those are what a human approves.
 *
 * @param items SQL of the rows of `inbox_items` to show
 */
const shownSql = (items: string) => `
  WITH items (rank, id, kind, task_id) AS MATERIALIZED (${items})
  SELECT i.rank AS rank, q.id AS id, i.kind AS kind, q.task_id AS task, t.title AS task_title, q.session_id AS session, q.state,
    q.question AS text, NULL AS of_kind, q.options, q.preferred, NULL AS detail, NULL AS other_task, NULL AS gate,
    NULL AS feature, 0 AS feature_exists
  FROM items i CROSS JOIN questions q ON q.id = i.id CROSS JOIN tasks t ON t.id = q.task_id
  WHERE i.kind = 'question'
  UNION ALL
  SELECT i.rank, b.id, i.kind, b.task_id, t.title, b.session_id, b.state, b."on", b.kind, NULL, NULL, b.detail,
    b.depends_on, NULL, NULL, 0
  FROM items i CROSS JOIN blockers b ON b.id = i.id CROSS JOIN tasks t ON t.id = b.task_id
  WHERE i.kind IN ('blocker', 'contest')
  UNION ALL
  SELECT i.rank, s.id, i.kind, coalesce(t.id, d.id), coalesce(t.title, d.title), s.session_id, s.state, d.title, s.kind,
    NULL, NULL, nullif(d.description, ''), s.proposed_task, NULL, s.feature,
    s.feature IS NOT NULL AND NOT s.unknown_feature
  FROM items i CROSS JOIN suggestions s ON s.id = i.id CROSS JOIN tasks d ON d.id = s.proposed_task
    LEFT JOIN tasks t ON t.id = s.task_id
  WHERE i.kind = 'proposal'
  UNION ALL
  SELECT i.rank, i.id, i.kind, i.task_id, t.title, NULL, 'waiting',
    CASE count(*) WHEN 1 THEN w.command
      ELSE group_concat('gate ' || w.gate || ': ' || w.command, char(10) ORDER BY w.gate) END,
    NULL, NULL, NULL, NULL, NULL, CASE count(*) WHEN 1 THEN w.gate END, NULL, 0
  FROM items i CROSS JOIN gates w ON w.task_id = i.task_id CROSS JOIN tasks t ON t.id = i.task_id
  WHERE i.kind = 'gate_approval' AND w.declared = i.id AND w.approval = 'waiting'
  GROUP BY i.id
  UNION ALL
  SELECT i.rank, i.id, i.kind, g.task_id, t.title, NULL, g.state, g.command, NULL, NULL, NULL,
    coalesce(nullif(g.last_stderr, ''), g.last_stdout), NULL, g.gate, NULL, 0
  FROM items i CROSS JOIN gates g ON g.task_id = i.task_id CROSS JOIN tasks t ON t.id = i.task_id
  WHERE i.kind = 'gate' AND g.last_position = i.id
  UNION ALL
  SELECT i.rank, i.id, i.kind, t.id, t.title, NULL, t.status, t.title, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0
  FROM items i CROSS JOIN tasks t ON t.id = i.task_id
  WHERE i.kind = 'acceptance'
  UNION ALL
  SELECT i.rank, i.id, i.kind, t.id, t.title, s.id, 'held',
    t.cancelled_in_a_row || ' sessions in a row were cancelled. The last one: ' || coalesce(s.end_reason, 'no reason given'),
    s.cause, NULL, NULL, NULL, NULL, NULL, NULL, 0
  FROM items i CROSS JOIN tasks t ON t.id = i.task_id CROSS JOIN sessions s ON s.started_position = t.last_start
  WHERE i.kind = 'hold'
  UNION ALL
  SELECT i.rank, m.position, i.kind, m.task_id, t.title, NULL, m.state,
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
  FROM items i CROSS JOIN merges m ON m.task_id = i.task_id CROSS JOIN tasks t ON t.id = i.task_id
  WHERE i.kind = 'merge'
  UNION ALL
  SELECT i.rank, f.id, i.kind, f.task_id, t.title, f.session_id, f.severity, f.what, f.category, NULL, NULL, NULL, NULL,
    NULL, NULL, 0
  FROM items i CROSS JOIN flags f ON f.id = i.id CROSS JOIN tasks t ON t.id = f.task_id
  WHERE i.kind = 'flag'
  ${ORDER}`;

export const WAITING_SQL = shownSql(KEPT);
export const ALL_SQL = shownSql(WITH_INFORMATION);
export const PAGE_SQL = shownSql(`${KEPT} WHERE (rank, id, kind) > (?, ?, ?) ${ORDER} LIMIT ?`);
export const ITEM_SQL = shownSql(`${KEPT} WHERE rank = ? AND id = ? AND kind = ?`);
export const PLACE_SQL = `SELECT id, kind FROM inbox_items ${ORDER} LIMIT 1 OFFSET ?`;
export const COUNT_SQL = "SELECT coalesce(sum(items), 0) FROM inbox_counts";
export const NEWEST_SQL =
  "SELECT id, kind FROM inbox_items WHERE id = (SELECT max(id) FROM inbox_items) ORDER BY kind LIMIT 1";

/** What of an item comes before all others. */
export const FIRST: readonly [rank: number, id: number, kind: ItemKind | ""] = [0, 0, ""];
