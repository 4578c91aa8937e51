import { AGENT_CLIENT } from "../../events/actors.ts";
import { deniedWords } from "../../events/types/denied-words.ts";
import { agentsTable } from "../../projections/agents.ts";
import { signalsTable } from "../../projections/board/signals-table.ts";
import { type Question, questions, type Session, statusChanges } from "../../projections/board/tables.ts";
import { commentsTable } from "../../projections/comments.ts";
import { parseColumn } from "../../projections/parse-column.ts";
import { questionActsTable } from "../../projections/question-acts.ts";
import { parseDenials } from "../../queries/denials.ts";
import type { Context } from "./context.ts";
import type { Entry, Part } from "./part.ts";
import { PromptError } from "./prompt-error.ts";
import { inLine, quoteAgent, quoteHuman } from "./quote.ts";

/**
 * After a stuck session: its reason, and a request for another approach.
 *
 * @throws PromptError `empty_part`: the reason of a stuck signal is blank
 */
export function stuckPart(context: Context): Part {
  const { task, sessions, limit } = context;
  const stuck = sessions
    .filter(({ closing }) => closing === "stuck")
    .slice(0, Math.min(task.stuck_count, STUCK_QUOTED));
  const who =
    task.stuck_count > 1
      ? `${task.stuck_count} sessions of this task`
      : sessions[0]?.closing === "stuck"
        ? "The last session"
        : "An earlier session";
  return {
    name: "stuck",
    heading: "Try another approach",
    lead:
      `${who} got stuck. Do not repeat its approach: read why it failed, find out what it took for ` +
      "granted, and start from somewhere else. If nothing else can work, say in your closing report " +
      "what you ruled out.",
    why: `the stuck count is ${task.stuck_count}`,
    entries: stuck.map((session) => whyStuck(context, session, limit(1 / 24))),
    required: true,
  };
}

const STUCK_QUOTED = 3;

function whyStuck(context: Context, session: Session, limit: number): Entry {
  const { id, inferred, last_closing_position, ended_position, exit, end_reason } = session;
  if (inferred) {
    const why = `- session ${inLine(id)} ended without a closing report (${exit?.replace("_", " ")}).`;
    const words = lastWordsOf(context, session, limit);
    const text = [
      why,
      ...(end_reason ? [quoteAgent(end_reason, limit)] : []),
      ...(words ? [words.text] : []),
    ];
    return {
      text: text.join("\n"),
      positions: [...(ended_position === null ? [] : [ended_position]), ...(words?.positions ?? [])],
      why: `session ${id} was stuck, inferred`,
    };
  }
  return {
    text: `- session ${inLine(id)} said:\n${quoteAgent(said(session.last_closing_text, `stuck of session ${id}`), limit)}`,
    positions: last_closing_position === null ? [] : [last_closing_position],
    why: `session ${id} was stuck`,
  };
}

/** Human answers to the task's questions, newest first. @throws PromptError `empty_part` */
export function answersPart({ readModel, task, sessions, limit }: Context): Part {
  const since = sessions[0]?.started_position ?? 0;
  const rows = readModel.rowsOf({ questions, acts: questionActsTable });
  const answered = rows.questions
    .where({ task_id: task.id, state: "answered" })
    .sort((a, b) => (b.acted_at ?? 0) - (a.acted_at ?? 0));
  return {
    name: "answers",
    heading: "Answers to questions of this task",
    ...(answered.some(({ options, preferred }) => (options ?? preferred) !== null) && {
      lead: "Where an answer names an option, that option was chosen, in the session's words.",
    }),
    why: "a human answered what a session asked",
    entries: answered.map((question) => ({
      text: describeAnswer(question, rows.acts.get(question.acted_at ?? 0)?.actor, limit(1 / 12)),
      positions: question.acted_at === null ? [question.id] : [question.id, question.acted_at],
      why:
        (question.acted_at ?? 0) > since
          ? "answered since the last session"
          : "answered before the last session",
    })),
    required: true,
  };
}

/**
 * The session's words are on lines of their own, including the option that the human chose; the
 * human's line contains none of them.
 */
function describeAnswer(
  { id, session_id, question, options, preferred, answer }: Question,
  actor: string | undefined,
  limit: number,
): string {
  const offered = [...(options?.split("\n") ?? []), ...(preferred === null ? [] : [preferred])].map(
    inOneLine,
  );
  const distinct = [...new Set(offered)];
  const text = said(answer, `answer to question ${id}`);
  const isByClient = actor === AGENT_CLIENT;
  const chosen = distinct.indexOf(inOneLine(text));
  // The human's line only has the number of the chosen option; all other options together get the
  // room of one text.
  const others = Math.min(200, Math.floor(limit / distinct.length));
  return [
    `- question ${id} of session ${inLine(session_id)}:`,
    quoteAgent(question, limit),
    ...(distinct.length > 0 ? ["Its options:"] : []),
    ...distinct.map((option, index) => {
      const numbered = inLine(`${index + 1}. ${option}`, index === chosen ? limit : others);
      return quoteAgent(numbered, limit);
    }),
    ...(isByClient ? ["It was answered through the client of the agent, perhaps by the agent itself:"] : []),
    (isByClient ? quoteAgent : quoteHuman)(
      `ANSWER to your question ${id}: ${chosen < 0 ? text : `option ${chosen + 1}`}`,
      limit,
    ),
  ].join("\n");
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/**
 * The point at which the work was left: the last partial, or a done that its gates did not confirm
 * or a human returned.
 *
 * @throws PromptError `empty_part`: the remaining work of a partial is blank
 */
export function lastSessionPart(context: Context): Part {
  const part = closedPart(context);
  const cut = cutShort(context);
  return cut ? { ...part, entries: [...part.entries, cut] } : part;
}

/**
 * The last session, if it was cancelled before it closed: its last words are all that the next one
 * gets.
 */
function cutShort(context: Context): Entry | undefined {
  const [last] = context.sessions;
  if (last?.closing !== null || (last.ended_position ?? 0) <= context.lastDone) return undefined;
  const words = lastWordsOf(context, last, context.limit(1 / 24));
  if (!words) return undefined;
  const text = `The last session, ${inLine(last.id)}, was cancelled before it closed. ${words.text}`;
  return { text, positions: words.positions, why: `session ${last.id} was cancelled` };
}

function closedPart(context: Context): Part {
  const { sessions, task, readModel, lastDone } = context;
  const part = {
    name: "last_session",
    heading: "Where the work stands",
    why: "an earlier session closed with work left to do",
    entries: [],
    required: true,
  } as const;
  const session = sessions.find(({ outcome }) => outcome === "partial" || outcome === "success");
  if (!session || (session.ended_position ?? 0) <= lastDone) return part;
  const which = session === sessions[0] ? "The last session" : "An earlier session";
  const sentBack = sentBackAfter(context, session);
  if (sentBack !== undefined) {
    const comment = readModel.rowsOf({ comments: commentsTable }).comments.get(sentBack)?.body ?? null;
    const text = quoteHuman(
      said(comment, `comment with which task ${task.id} was sent back`),
      context.limit(1 / 8),
    );
    return {
      ...part,
      lead: `${which} closed with done, and a human sent the work back.`,
      entries: [
        summaryOf(context, session),
        { text: `What the human wrote:\n${text}`, positions: [sentBack], why: "sent back" },
      ],
    };
  }
  // A human's skip removes what gates had left of a done.
  if (session.outcome === "success" || (session.unverified && task.remaining === null)) return part;
  const remaining = session.unverified ? task.remaining : session.last_closing_text;
  return {
    ...part,
    lead: session.unverified
      ? `${which} closed with done, but the done did not count. Go on from there.`
      : `${which} closed with partial. Go on from there.`,
    entries: [summaryOf(context, session), remainingEntry(session, remaining, context.limit(1 / 8))],
  };
}

/** The comment with which a human returned this session's work, if any; its id is its position. */
export function sentBackAfter(
  { readModel, task }: Context,
  session: Session | undefined,
): number | undefined {
  if (session?.closing !== "done") return undefined;
  return readModel
    .rowsOf({ statusChanges })
    .statusChanges.where({ task_id: task.id })
    .findLast(
      ({ rule, position }) => rule === "humans: send back" && position > (session.ended_position ?? 0),
    )?.position;
}

function summaryOf({ readModel, limit }: Context, { id, last_closing_position: position }: Session): Entry {
  const row =
    position === null ? undefined : readModel.rowsOf({ signals: signalsTable }).signals.get(position);
  const summary: unknown = row && parseColumn(row.payload).summary;
  const text = said(typeof summary === "string" ? summary : null, `summary of session ${id}`);
  return {
    text: `What it did:\n${quoteAgent(text, limit(1 / 12))}`,
    positions: position === null ? [] : [position],
    why: `summary of session ${id}`,
  };
}

function remainingEntry(session: Session, remaining: string | null, limit: number): Entry {
  const { id, unverified, last_closing_position, ended_position } = session;
  const position = unverified ? ended_position : last_closing_position;
  return {
    text: `What remains:\n${quoteAgent(said(remaining, `remaining work of session ${id}`), limit)}`,
    positions: position === null ? [] : [position],
    why: unverified ? "why the done did not count" : `remaining of session ${id}`,
  };
}

/** @throws PromptError `empty_part` */
function said(text: string | null, what: string): string {
  // Not `isBlank`: older programs accepted zero-width characters as text, and no prompt must fail
  // because of one.
  if (text !== null && text.trim() !== "") return text;
  throw new PromptError(
    "empty_part",
    `The ${what} is blank, so the prompt would be missing something it must say. If the log has it, ` +
      "`signalbox rebuild` restores it.",
  );
}

/**
 * The last message of an agent that called no closing verb, and its denied tools; undefined if it
 * called one, or nothing is known.
 */
function lastWordsOf(
  { readModel }: Pick<Context, "readModel">,
  session: Pick<Session, "id" | "closing" | "inferred">,
  limit: number,
): { readonly text: string; readonly positions: readonly number[] } | undefined {
  if (session.closing !== null && session.inferred === 0) return undefined;
  const agent = readModel.rowsOf({ agents: agentsTable }).agents.get(session.id);
  if (!agent || agent.ended_position === null) return undefined;
  const denied = parseDenials(agent.denied);
  const words = agent.last_words?.trim() ?? "";
  if (denied.length === 0 && words === "") return undefined;
  const text = [
    ...(denied.length === 0 ? [] : [`Its client did not let it use ${inLine(deniedWords(denied))}.`]),
    ...(words === "" ? [] : [`Its last words:\n${quoteAgent(words, limit)}`]),
  ].join("\n");
  return { text, positions: [agent.ended_position] };
}
