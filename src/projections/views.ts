import { verbs } from "../events/types/signals.ts";
import { sessions } from "./board/session-tables.ts";
import { signalsTable } from "./board/signals-table.ts";
import { IS_READY, ORDER_OF_TURNS } from "./board/status-order.ts";
import { questions, tasks } from "./board/tables.ts";
import { commentsTable } from "./comments.ts";
import { type Column, type ColumnSet, integer, json, means, nullable, oneOf, text } from "./table.ts";
import { sessionFiles } from "./workspaces.ts";

/** A view: its columns for readers, and its CREATE VIEW statement. */
export interface View<Columns extends ColumnSet = ColumnSet, Name extends string = string> {
  readonly name: Name;
  readonly description: string;
  readonly columns: Columns;
  /** The columns by which readers order it; none if its own order counts. */
  readonly order: readonly string[];
  readonly sql: string;
}

/* Views for SQL written for Ralph's own databases: they have every column of its tables. */

const { id, task_id, discipline_id, session_id, verb, body, blocking, feature_id, created } =
  signalsTable.columns;

/** Ralph's table `task_signals`, plus the column `text`. */
const taskSignals = defineView({
  name: "task_signals",
  description: "A row for each signal, with a column for each argument of a verb.",
  columns: {
    id,
    task_id,
    discipline_id,
    session_id,
    verb,
    ...argumentColumns("summary", "remaining", "reason", "question"),
    options: questions.columns.options,
    preferred: nullable(text),
    blocking,
    ...argumentColumns("what", "severity", "category", "kind"),
    scope: means(nullable(text), "feature if the agent named none"),
    ...argumentColumns("rationale", "why"),
    feature_id,
    on: means(nullable(text), 'an SQL keyword: write `"on"`'),
    detail: nullable(text),
    answer: means(nullable(text), "of a question"),
    created,
    text: nullable(text),
  },
  order: ["id"],
  // Texts come from the verbs' tables: before version 3.43, SQLite's ->> cuts a JSON text at its
  // first NUL.
  sql: `CREATE VIEW task_signals AS
  SELECT s.id, s.task_id, s.discipline_id, s.session_id, s.verb, s.summary, s.remaining, s.reason,
    q.question, q.options, q.preferred, s.blocking, coalesce(f.what, g.what) AS what, f.severity, f.category,
    CASE WHEN s.verb <> 'flag' THEN s.kind END AS kind,
    l.scope, l.rationale, g.why, s.feature_id, b."on", b.detail, q.answer, s.created, l.text
  FROM signals s
    LEFT JOIN questions q ON q.id = s.id
    LEFT JOIN flags f ON f.id = s.id
    LEFT JOIN suggestions g ON g.id = s.id
    LEFT JOIN blockers b ON b.id = s.id
    LEFT JOIN learning_sources l ON l.id = s.id`,
});

/** Ralph's table `task_comments`: comments of people and signals of agents in one timeline. */
const taskComments = defineView({
  name: "task_comments",
  description: "A row for each comment and each signal: the timelines of tasks.",
  columns: {
    id: commentsTable.columns.id,
    task_id,
    session_id: means(nullable(text), "of a signal"),
    author: means(text, "of a signal: the discipline that its task had when it came"),
    signal_verb: nullable(oneOf(verbs)),
    signal_payload: nullable(json),
    signal_answered: means(nullable(text), "the answer to a question"),
    body,
    created,
    actor: means(
      text,
      "who wrote the body: `agent` for anything written with an agent's tools, whatever its author " + "says",
    ),
  },
  order: ["id"],
  sql: `CREATE VIEW task_comments AS
  SELECT c.id, c.task_id, NULL AS session_id, c.author, NULL AS signal_verb, NULL AS signal_payload,
    NULL AS signal_answered, c.body, c.created, c.actor
  FROM comments c
  UNION ALL
  SELECT s.id, s.task_id, s.session_id, coalesce(s.discipline, 'agent'), s.verb, s.payload, q.answer, s.body, s.created,
    s.actor
  FROM signals s LEFT JOIN questions q ON q.id = s.id`,
});

/** Ralph's table `ralph_sessions`. */
const ralphSessions = defineView({
  name: "ralph_sessions",
  description: "A row for each session.",
  columns: {
    id: sessions.columns.id,
    ticket_id: means(integer, "the task"),
    outcome: sessions.columns.outcome,
    current_state: sessions.columns.current_state,
    state_history: means(json, "array of {state, timestamp, metadata}"),
    started_at: sessions.columns.started_at,
    completed_at: sessions.columns.completed_at,
  },
  order: ["started_at"],
  sql: `CREATE VIEW ralph_sessions AS
  SELECT s.id, s.task_id AS ticket_id, s.outcome, s.current_state,
    (SELECT json_group_array(json_object('state', h.state, 'timestamp', h.entered_at, 'metadata', json(h.metadata)))
      FROM (SELECT * FROM session_states WHERE session_id = s.id ORDER BY ordinal) h) AS state_history,
    s.started_at, s.completed_at
  FROM sessions s`,
});

const readyTasks = defineView({
  name: "ready_tasks",
  description: "A row for each task that can start now, the next one first.",
  columns: tasks.columns,
  order: [],
  // docs/rules.md, Task statuses
  sql: `CREATE VIEW ready_tasks AS
  SELECT * FROM tasks WHERE ${IS_READY} ORDER BY ${ORDER_OF_TURNS}`,
});

/** The counters of docs/rules.md, Stagnation. */
const stagnation = defineView({
  name: "stagnation",
  description: "A row for each task, with counters that show when it makes no progress.",
  columns: {
    task_id,
    stuck_count: tasks.columns.stuck_count,
    sessions: tasks.columns.sessions,
    inferred_stucks: tasks.columns.inferred_stucks,
    failed_gate_attempts: tasks.columns.failed_gate_attempts,
    partials_in_a_row: tasks.columns.partials_in_a_row,
    unchanged_in_a_row: tasks.columns.unchanged_in_a_row,
  },
  order: ["task_id"],
  sql: `CREATE VIEW stagnation AS
  SELECT id AS task_id, stuck_count, sessions, inferred_stucks, failed_gate_attempts, partials_in_a_row,
    unchanged_in_a_row
  FROM tasks`,
});

const fileOverlaps = defineView({
  name: "file_overlaps",
  description: "A row for each file that two open sessions have both changed; each pair once.",
  columns: {
    path: sessionFiles.columns.path,
    session_id,
    task_id,
    other_session_id: text,
    other_task_id: integer,
  },
  order: ["path", "session_id"],
  sql: `CREATE VIEW file_overlaps AS
  SELECT a.path, a.session_id, a.task_id, b.session_id AS other_session_id, b.task_id AS other_task_id
  FROM session_files a JOIN session_files b ON b.path = a.path AND b.session_id > a.session_id
  WHERE a.open = 1 AND b.open = 1`,
});

export const views = [
  taskSignals,
  taskComments,
  ralphSessions,
  readyTasks,
  stagnation,
  fileOverlaps,
] as const satisfies readonly View[];

function defineView<const Name extends string, const Columns extends ColumnSet>(
  view: View<Columns, Name>,
): View<Columns, Name> {
  return view;
}

/** The verbs' arguments as texts; NULL if a verb lacks the argument. */
function argumentColumns<const Name extends string>(...names: readonly Name[]) {
  // An entry for each name.
  return Object.fromEntries(names.map((name) => [name, nullable(text)])) as Record<
    Name,
    Column<string | null>
  >;
}
