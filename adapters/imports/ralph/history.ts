import {
  AGENT,
  addComment,
  answerQuestion,
  closingVerbs,
  endSession,
  type PlannedEvent,
  proposedWords,
  type Row,
  rejectSuggestion,
  type SessionExit,
  sessionId,
  signalPayload,
  startSession,
  type Verb,
} from "../core.ts";
import type { Entry } from "./signals.ts";

type CommentEntry = Extract<Entry, { comment: unknown }>;
type SignalEntry = Extract<Entry, { signal: unknown }>;

/** A session, reconstructed from a source's signals. */
interface Session {
  readonly id: string;
  readonly task: string;
  readonly signals: SignalEntry[];
  readonly changes: readonly string[];
}

/**
 * The timelines of tasks as rows: each session starts before its first signal and ends after its
 * last, which settles its task; then come the answers to its questions. Overlapping sessions of one
 * task are imported one after another, since a task has at most one open session.
 *
 * @param running the tasks that are in progress in the source
 * @param titles of all tasks of the source: a suggestion that became one of them there is not
 * proposed again
 */
export function historyRows(
  entries: readonly Entry[],
  running: ReadonlySet<string>,
  titles: ReadonlySet<string>,
): Row[] {
  const sessions = sessionsOf(entries);
  const last = new Map([...sessions.values()].map((session) => [session.task, session]));
  const rows: Row[] = [];
  const open = new Map<string, Session>();
  const waiting = new Map<string, SignalEntry[]>();
  const place = (entry: SignalEntry): void => {
    const session = sessions.get(keyOf(entry));
    if (!session) return;
    const current = open.get(session.task);
    if (current && current !== session) {
      waiting.set(session.task, [...(waiting.get(session.task) ?? []), entry]);
      return;
    }
    if (!current) rows.push(startRow(session, entry));
    open.set(session.task, session);
    rows.push(signalRow(session, entry));
    if (entry !== session.signals.at(-1)) return;
    const unfinished = running.has(session.task) && last.get(session.task) === session;
    rows.push(endRow(session, entry, unfinished), ...afterwards(session, titles));
    open.delete(session.task);
    const next = waiting.get(session.task) ?? [];
    waiting.delete(session.task);
    for (const one of next) place(one);
  };
  for (const entry of entries) {
    if ("comment" in entry) rows.push(commentRow(entry));
    else place(entry);
  }
  return rows;
}

const keyOf = ({ task, session }: SignalEntry): string => JSON.stringify([task, session ?? null]);

function sessionsOf(entries: readonly Entry[]): Map<string, Session> {
  const sessions = new Map<string, Session>();
  const ids = new Set<string>();
  for (const entry of entries) {
    if (!("signal" in entry)) continue;
    const known = sessions.get(keyOf(entry));
    if (known) known.signals.push(entry);
    else sessions.set(keyOf(entry), { ...named(entry, ids), task: entry.task, signals: [entry] });
  }
  return sessions;
}

/** Its own id, if that is valid and not used by another task. */
function named({ session, task }: SignalEntry, ids: Set<string>): { id: string; changes: string[] } {
  const fits = session !== undefined && sessionId.safeParse(session).success;
  const said = fits ? session : `imported-${task}`;
  const id = ids.has(said) ? `${said}-task-${task}` : said;
  ids.add(id);
  if (id === session) return { id, changes: [] };
  return {
    id,
    changes: [`its session ${session === undefined ? "has no id there" : `is "${session}" there`}: ${id}`],
  };
}

function startRow({ id, task, changes }: Session, { at, time }: SignalEntry): Row {
  return {
    ...{ at: `${at}, session`, time, changes, what: "session start" },
    key: `start ${task} ${id}`,
    content: { session: id, task },
    type: "session.started",
    plan: ({ state, taskOf }) => startSession({ task: taskOf(task), session: id, force: true }).plan(state),
  };
}

function signalRow({ id, task }: Session, entry: SignalEntry): Row {
  const { at, time, what, key, content, changes, signal } = entry;
  return {
    ...{ at, time, what, key, content, changes },
    actor: AGENT,
    type: `signal.${signal.verb}`,
    plan({ taskOf, positionOf }) {
      // Without a started session, its signal would start one by itself.
      positionOf(`start ${task} ${id}`);
      const payload = signalPayload(signal.args, { task: taskOf(task), session: id });
      // The verb's own schema parsed the arguments, and the log validates the payload again.
      return [{ type: `signal.${signal.verb}`, correlation: id, payload } as PlannedEvent];
    },
  };
}

const CLOSING: ReadonlySet<Verb> = new Set(closingVerbs);

function endRow({ id, task, signals }: Session, { at, time }: SignalEntry, unfinished: boolean): Row {
  const closed = signals.some(({ signal }) => CLOSING.has(signal.verb));
  const exit: SessionExit = unfinished && !closed ? "cancelled" : "exited";
  return {
    ...{ at: `${at}, end of session`, time, what: "session end" },
    key: `end ${task} ${id}`,
    content: { session: id },
    changes: exit === "cancelled" ? ["it may still be running there and has not closed: cancelled"] : [],
    type: "session.ended",
    plan: ({ state }) => endSession({ session: id, exit }).plan(state),
  };
}

function afterwards({ signals }: Session, titles: ReadonlySet<string>): Row[] {
  return signals.flatMap((entry): Row[] => {
    const { at, time, key, answer, signal } = entry;
    if (signal.verb === "ask" && answer !== undefined) {
      return [
        {
          ...{ at: `${at}, answer`, time, what: "answer", changes: [] },
          key: `answer ${key}`,
          content: { answer },
          type: "question.answered",
          plan: ({ state, positionOf }) => answerQuestion({ id: positionOf(key), answer }).plan(state),
        },
      ];
    }
    const { what, kind } = signal.args;
    if (
      signal.verb !== "suggest" ||
      kind !== "new_task" ||
      !titles.has(proposedWords({ what: String(what), why: "" }).title)
    )
      return [];
    return [
      {
        ...{ at: `${at}, proposal`, time, what: "proposal" },
        changes: ["the source already has a task with this title: the proposal is rejected"],
        key: `proposal ${key}`,
        content: { rejected: true },
        type: "suggestion.rejected",
        plan: ({ state, positionOf }) => rejectSuggestion({ id: positionOf(key) }).plan(state),
      },
    ];
  });
}

function commentRow({ at, time, what, key, content, changes, task, comment, actor }: CommentEntry): Row {
  return {
    ...{ at, time, what, key, content, changes, actor },
    type: "comment.added",
    plan({ state, taskOf, note }) {
      const { discipline, ...plain } = comment;
      const known = discipline !== undefined && state.disciplines.get(discipline) !== undefined;
      if (discipline !== undefined && !known)
        note(`left out: its discipline "${discipline}", which does not exist here`);
      return addComment({ task: taskOf(task), ...plain, ...(known && { discipline }) }).plan(state);
    },
  };
}
