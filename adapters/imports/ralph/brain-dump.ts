import { z } from "zod";
import {
  AGENT,
  addComment,
  createFeature,
  ExchangeError,
  endSession,
  fitPriority,
  fitStatus,
  fitTags,
  fitTitle,
  HUMAN,
  type LeftOut,
  NOBODY_WORKS,
  name,
  type PlannedEvent,
  parsedJson,
  type ReadOptions,
  Refusal,
  type Row,
  reportedStates,
  type SessionExit,
  type StatusWords,
  startSession,
  taskRows,
} from "../core.ts";
import { parseRow } from "../row-schema.ts";
import { contentOf, listColumn, refColumn, textColumn } from "./columns.ts";
import type { Columns, ForeignDatabase } from "./database.ts";
import { statusRow, type TaskWithHistory } from "./tasks.ts";

/** Brain Dump's epics, tickets, comments and sessions (salmanrrana/brain-dump, src/lib/schema.ts), as rows. */
export function brainDumpRows(database: ForeignDatabase, options: ReadOptions): (Row | LeftOut)[] {
  const sessions = inOrder(database.rows("ralph_sessions"), "started_at");
  const worked = new Set(sessions.map(({ ticket_id }) => String(ticket_id)));
  const epics = new Map(database.rows("epics").map(({ id, title }) => [String(id), String(title)]));
  const rows: (Row | LeftOut)[] = [];
  const refuse = <T>(at: string, what: string, make: () => T): T[] => {
    try {
      return [make()];
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      rows.push({ at, what, leftOut: "refused", why: error.message });
      return [];
    }
  };
  const tickets = ticketsOf(database, worked);
  const tasks = inOrder(tickets, "position").flatMap((row) =>
    refuse(`tickets ${row.id}`, "task", () => ticketTask(row, epics, worked, options)),
  );
  return [
    ...rows.splice(0),
    ...[...epics.values()].map(epicRow),
    ...taskRows(tasks),
    ...database
      .rows("ticket_comments")
      .flatMap((row) => refuse(`ticket_comments ${row.id}`, "comment", () => ticketCommentRow(row))),
    ...sessions.flatMap((row) =>
      refuse(`ralph_sessions ${row.id}`, "session", () => sessionRows(row)).flat(),
    ),
    ...rows,
    ...tasks.filter(({ fields, status }) => fields.status !== status).map(statusRow),
  ];
}

/** The suffix of every number and time. */
const LAST = Number.POSITIVE_INFINITY;

function inOrder(rows: readonly Columns[], column: string): readonly Columns[] {
  return [...rows].sort((a, b) => {
    const [first, second] = [a[column] ?? LAST, b[column] ?? LAST];
    return first < second ? -1 : first > second ? 1 : 0;
  });
}

/** The tickets; those that only sessions mention have no texts. */
function ticketsOf(database: ForeignDatabase, worked: ReadonlySet<string>): readonly Columns[] {
  const tickets = database.rows("tickets");
  const known = new Set(tickets.map(({ id }) => String(id)));
  const unknown = [...worked].filter((id) => !known.has(id));
  return [...tickets, ...unknown.map((id) => ({ id, title: `Ticket ${id}`, status: SESSIONS_SAY }))];
}

/** The status of a ticket known only from its sessions. */
const SESSIONS_SAY = "as its sessions say";

const STATUSES: StatusWords = {
  backlog: { status: "draft", change: "it is in the backlog there: a draft" },
  ready: { status: "pending" },
  in_progress: { status: "pending", change: NOBODY_WORKS },
  ai_review: { status: "pending", change: "it is in review by an AI there: pending" },
  review: { status: "needs_input", change: "it is in review there: needs_input" },
  human_review: { status: "needs_input", change: "it is in review by a human there: needs_input" },
  done: { status: "done" },
  [SESSIONS_SAY]: { status: "pending" },
};

function ticketTask(
  row: Columns,
  epics: ReadonlyMap<string, string>,
  worked: ReadonlySet<string>,
  { statuses }: ReadOptions,
): TaskWithHistory {
  const ticket = parseRow(ticketSchema, row);
  const changes: string[] = [];
  const said = fitStatus(ticket.status, STATUSES, statuses, changes);
  const blocked = ticket.is_blocked === 1 && said !== "done";
  if (blocked)
    changes.push(`it is blocked there${ticket.blocked_reason ? `: ${ticket.blocked_reason}` : ""}`);
  const status = blocked ? "blocked" : said;
  const epic = epics.get(ticket.epic_id ?? "");
  return {
    at: `tickets ${ticket.id}`,
    what: "task",
    time: ticket.created_at,
    ref: ticket.id,
    status: ticket.status === SESSIONS_SAY ? undefined : status,
    fields: {
      ...fitTitle(ticket.title, ticket.description ?? "", changes),
      feature: epic !== undefined && name.safeParse(epic).success ? epic : "general",
      priority: fitPriority(ticket.priority, changes),
      status: worked.has(ticket.id) ? "draft" : status,
      criteria: subtasksIn(ticket.subtasks),
      tags: fitTags(ticket.tags, changes),
      context_files: ticket.linked_files,
    },
    depends_on: [],
    changes,
    content: contentOf(row),
  };
}

function subtasksIn(text: string | undefined): string[] {
  const parsed = z.array(z.looseObject({ text: z.string() })).safeParse(parsedJson(text ?? "[]"));
  return parsed.success ? parsed.data.map((subtask) => subtask.text) : [];
}

function epicRow(title: string): Row | LeftOut {
  const at = `epics "${title}"`;
  if (!name.safeParse(title).success)
    return {
      at,
      what: "feature",
      leftOut: "skipped",
      why: "its title cannot be a feature's name: its tickets go to general",
    };
  return {
    ...{ at, what: "feature", key: `epic ${title}`, content: { title }, changes: [] },
    type: "feature.created",
    plan({ state }) {
      if (state.features.get(title))
        throw new Refusal("nothing_to_do", `There is a feature "${title}" already.`);
      return createFeature({ name: title }).plan(state);
    },
  };
}

function ticketCommentRow(row: Columns): Row {
  const { id, ticket_id, content, author, created_at } = parseRow(commentSchema, row);
  const signed = name.safeParse(author).success ? author : "import";
  return {
    ...{ at: `ticket_comments ${id}`, what: "comment", time: created_at, key: `ticket_comments ${id}` },
    content: contentOf(row),
    changes: signed === author ? [] : ["its author has no short name: signed by import"],
    actor: author === HUMAN || author === "user" ? undefined : AGENT,
    type: "comment.added",
    plan: ({ state, taskOf }) =>
      addComment({ task: taskOf(ticket_id), author: signed, body: content }).plan(state),
  };
}

const EXITS: Readonly<Record<string, SessionExit>> = Object.assign(Object.create(null), {
  success: "exited",
  failure: "crashed",
  timeout: "timed_out",
  cancelled: "cancelled",
});

/** A session: its start, its states with their own times, its closing verb, its end. */
function sessionRows(row: Columns): Row[] {
  const session = parseRow(sessionSchema, row);
  const { id, ticket_id, outcome, error_message: reason } = session;
  const at = `ralph_sessions ${id}`;
  const exit = outcome === undefined ? "cancelled" : EXITS[outcome];
  if (exit === undefined) {
    throw new ExchangeError(
      "malformed",
      `its outcome "${outcome}" is not one of ${Object.keys(EXITS).join(", ")}`,
    );
  }
  const end = outcome === undefined ? ["it has no outcome there: cancelled"] : [];
  const started = `start ${id}`;
  return [
    {
      ...{
        at,
        what: "session start",
        time: session.started_at,
        key: started,
        content: { id, ticket_id },
        changes: [],
      },
      type: "session.started",
      plan: ({ state, taskOf }) =>
        startSession({ task: taskOf(ticket_id), session: id, force: true }).plan(state),
    },
    ...statesIn(session.state_history).map((entered, index) => stateRow(id, started, entered, index)),
    ...(outcome === "success" ? [successRow(id, ticket_id, started, session.completed_at)] : []),
    {
      ...{
        at: `${at}, end`,
        what: "session end",
        time: session.completed_at,
        key: `end ${id}`,
        content: { outcome },
      },
      changes: end,
      type: "session.ended",
      plan: ({ state }) => endSession({ session: id, exit, reason }).plan(state),
    },
  ];
}

function stateRow(id: string, started: string, { state, timestamp, metadata }: Entered, index: number): Row {
  return {
    ...{
      at: `ralph_sessions ${id}, state ${index + 1}`,
      what: "state",
      time: timestamp,
      key: `state ${id} ${index}`,
    },
    content: { state, timestamp, metadata },
    changes: [],
    actor: AGENT,
    type: "session.state_reported",
    plan({ positionOf }) {
      positionOf(started);
      // The log has the time of the import; the agent's own time is kept in the state's metadata.
      const said = { ...metadata, ...(timestamp !== undefined && { timestamp }) };
      return [
        { type: "session.state_reported", correlation: id, payload: { session: id, state, metadata: said } },
      ];
    },
  };
}

/** Brain Dump's word for done is completing a session with success. */
function successRow(id: string, ticket: string, started: string, time: string | undefined): Row {
  return {
    ...{
      at: `ralph_sessions ${id}, outcome`,
      what: "done",
      time,
      key: `done ${id}`,
      content: { outcome: "success" },
    },
    changes: ["its outcome success is the verb done"],
    actor: AGENT,
    type: "signal.done",
    plan({ taskOf, positionOf }): PlannedEvent[] {
      positionOf(started);
      const summary = "Completed with the outcome success (Brain Dump).";
      return [
        { type: "signal.done", correlation: id, payload: { task: taskOf(ticket), session: id, summary } },
      ];
    },
  };
}

/** The states that an agent reports; idle, done and failed follow from start and end. @throws ExchangeError `malformed` */
function statesIn(text: string | undefined): Entered[] {
  const entries = parseRow(z.array(z.looseObject({ state: z.string() })), parsedJson(text ?? "[]"));
  const own: ReadonlySet<string> = new Set(["idle", "done", "failed"]);
  return entries.filter(({ state }) => !own.has(state)).map((entry) => parseRow(enteredSchema, entry));
}

const enteredSchema = z.looseObject({
  state: z.enum(reportedStates),
  timestamp: textColumn,
  metadata: z.record(z.string(), z.unknown()).nullish(),
});
type Entered = z.infer<typeof enteredSchema>;

const ticketSchema = z.object({
  id: refColumn,
  title: z.string(),
  description: textColumn,
  status: z.string(),
  priority: textColumn,
  epic_id: textColumn,
  tags: listColumn,
  subtasks: textColumn,
  linked_files: listColumn,
  is_blocked: z.number().nullish(),
  blocked_reason: textColumn,
  created_at: textColumn,
});

const commentSchema = z.object({
  id: refColumn,
  ticket_id: refColumn,
  content: z.string(),
  author: z.string(),
  created_at: textColumn,
});

const sessionSchema = z.object({
  id: z.string(),
  ticket_id: refColumn,
  outcome: textColumn,
  state_history: textColumn,
  error_message: textColumn,
  started_at: textColumn,
  completed_at: textColumn,
});
