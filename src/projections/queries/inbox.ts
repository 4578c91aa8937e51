import { howItEnded } from "../../events/types/gate-runs.ts";
import { lastResult } from "../board/settlement.ts";
import { type Gate, gates } from "../board/tables.ts";
import type { ReadModel } from "../read-model.ts";
import { type ChangedField, changedProposals } from "./changed-proposals.ts";
import { type Denial, denialsIn, denialsOfTask } from "./denials.ts";

/** Something that waits for a human. */
export interface InboxItem {
  /** The position of the event that put it there; what `signalbox inbox answer` and its like take. */
  readonly id: number;
  readonly kind:
    | "question"
    | "blocker"
    | "contest"
    | "proposal"
    | "gate_approval"
    | "gate"
    | "acceptance"
    | "hold"
    | "merge"
    | "flag";
  /** The task on which it was said; the draft itself for a proposal whose suggesting task was deleted. */
  readonly task: number;
  readonly task_title: string;
  readonly session: string | null;
  readonly state: string;
  /**
   * The question, what blocks, the gate's command, …; of a proposal the draft's title as it is now; of gates to approve
   * their commands, all of them and whole, each behind its number where there are several.
   */
  readonly text: string;
  /** A blocker's or proposal's kind, a flag's category. */
  readonly of_kind: string | null;
  /** A question's options, and the one that the agent prefers. */
  readonly options: string[];
  readonly preferred: string | null;
  /** Why, in more words: a blocker's detail, the description of a proposal's draft as it is now, a gate's last output. */
  readonly detail: string | null;
  /** For a blocker or contest the task that it is linked to; for a proposal the draft that it became. */
  readonly other_task: number | null;
  /** The gate's number; null where several gates are to be approved. */
  readonly gate: number | null;
  /** How the last attempt of an escalated gate ended, and what that means where it is not plain. */
  readonly ended: string | null;
  /** The feature that a proposal names; where there is none of that name, the draft is in the suggesting task's. */
  readonly feature: string | null;
  readonly feature_exists: boolean;
  /** The fields of a proposal's draft that are not as they were proposed; empty for all else. */
  readonly changed: readonly ChangedField[];
  /**
   * What the client of the agent did not let it use in the session that the item comes from; of a gate, in its task's last one;
   * of a hold, in its last three. It
   * may be why.
   */
  readonly denied: readonly Denial[];
}

/** What a question can be answered with, the preferred one first. */
export function choicesOf({
  options,
  preferred,
}: Pick<InboxItem, "options" | "preferred">): readonly string[] {
  return preferred === null ? options : [preferred, ...options.filter((option) => option !== preferred)];
}

/**
 * What waits for a human, in the one order that every list of it has: the most urgent kind first, the oldest first within it, and
 * by kind where an id is that of two items.
 */
export function listInbox(readModel: ReadModel, options: { all?: boolean } = {}): InboxItem[] {
  const sql = `SELECT * FROM (${options.all ? INBOX_OF_ALL : INBOX}) ${BY_URGENCY}`;
  return itemsOf(readModel, readModel.prepared<[], InboxRow>(sql).all());
}

/** Some of `listInbox`: from a place on, 0 for the most urgent. */
export function inboxFrom(readModel: ReadModel, place: number, limit: number): InboxItem[] {
  return itemsOf(readModel, readModel.prepared<[number, number], InboxRow>(PAGE).all(limit, place));
}

/** How many items wait, and which came last. */
export function countInbox(readModel: ReadModel): {
  readonly total: number;
  readonly newest: Pick<InboxItem, "kind" | "id"> | undefined;
} {
  const rows = readModel.prepared<[], CountRow>(COUNTS).all();
  const [newest] = rows.sort((a, b) => b.last - a.last);
  return {
    total: rows.reduce((sum, { items }) => sum + items, 0),
    newest: newest && { kind: newest.kind, id: newest.last },
  };
}

/** @returns undefined where no such item waits */
export function findInInbox(
  readModel: ReadModel,
  { kind, id }: Pick<InboxItem, "kind" | "id">,
): InboxItem | undefined {
  return itemsOf(readModel, readModel.prepared<[string, number], InboxRow>(ITEM).all(kind, id))[0];
}

interface CountRow {
  readonly kind: InboxItem["kind"];
  readonly items: number;
  readonly last: number;
}

function itemsOf(readModel: ReadModel, rows: readonly InboxRow[]): InboxItem[] {
  const changed = changedProposals(readModel);
  const rowsOfGates = readModel.rowsOf({ gates }).gates;
  return rows.map(({ options: choices, feature_exists, ...row }) => ({
    ...row,
    options: choices ? choices.split("\n") : [],
    feature_exists: feature_exists === 1,
    ended: row.kind === "gate" && row.gate !== null ? endOf(rowsOfGates.get(row.task, row.gate)) : null,
    changed: (row.kind === "proposal" && changed.get(row.id)) || [],
    denied: denialsBehind(readModel, row),
  }));
}

type InboxRow = Omit<InboxItem, "options" | "feature_exists" | "ended" | "changed" | "denied"> & {
  options: string | null;
  feature_exists: 0 | 1;
};

function denialsBehind(
  readModel: ReadModel,
  { kind, task, session }: Pick<InboxRow, "kind" | "task" | "session">,
): Denial[] {
  // Of a task that is held: three sessions were cancelled in a row.
  if (kind === "hold") return denialsOfTask(readModel, task, 3);
  if (session !== null) return denialsIn(readModel, [session]);
  return kind === "gate" ? denialsOfTask(readModel, task, 1) : [];
}

function endOf(gate: Gate | undefined): string | null {
  const last = gate && lastResult(gate);
  if (!last) return null;
  return gate.last_explanation === null ? howItEnded(last) : `${howItEnded(last)}. ${gate.last_explanation}`;
}

/**
 * Questions that block, blockers, proposals, gates to approve, escalated gates, tasks to accept, tasks that are held, merges that wait, and, of each task's last
 * session, what it
 * contests and its blocking flags; with `all`, the questions and blockers too that are only information. What was said
 * on a task that was deleted is not here; a proposal from there still is, under its draft. A proposal is shown by its
 * draft's present words, since those are what a human approves.
 *
 * CROSS JOIN and the unary plus keep SQLite on the way from a task to its last session: by any other index it would go
 * through everything that was ever flagged. The last sessions of all tasks are looked up once for what they contest and what they
 * flag: in the past (src/replay/time-travel/history) that is most of the work.
 */
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
  SELECT (SELECT max(c.position) FROM status_changes c WHERE c.task_id = t.id), 'acceptance', t.id, t.title, NULL,
    t.status, t.title, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0
  FROM tasks t
  WHERE t.status = 'needs_input' AND t.awaiting_acceptance = 1
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
  SELECT f.id, 'flag', f.task_id, l.title, f.session_id, f.severity, f.what, f.category, NULL, NULL, NULL, NULL, NULL, NULL, 0
  FROM last_sessions l CROSS JOIN flags f ON f.session_id = l.session
  WHERE l.status <> 'skipped' AND f.severity = 'blocking' AND +f.task_id = l.task`;

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
  blocker: 3,
  contest: 4,
  proposal: 5,
  hold: 6,
  flag: 7,
  gate_approval: 8,
  acceptance: 8,
  merge: 9,
} as const satisfies Readonly<Record<InboxItem["kind"], number>>;

const RANKS = Object.entries(URGENCY).map(([kind, rank]) => `WHEN '${kind}' THEN ${rank}`);
const BY_URGENCY = `ORDER BY CASE kind ${RANKS.join(" ")} END, id, kind`;
const PAGE = `SELECT * FROM (${INBOX}) ${BY_URGENCY} LIMIT ? OFFSET ?`;
const COUNTS = `SELECT kind, count(*) AS items, max(id) AS last FROM (${INBOX}) GROUP BY kind`;
/** For one item the last sessions of all tasks are looked up only where it may be of one. */
const ITEM = `SELECT * FROM (${inboxSql({ ...WAITING, lastSessions: "NOT MATERIALIZED" })}) WHERE kind = ? AND id = ?`;
