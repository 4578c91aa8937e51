import type { Event } from "../../events/types/index.ts";
import { definitionOf } from "../../events/types/index.ts";
import type { Verb } from "../../events/types/signals.ts";
import { type ClosingVerb, closingVerbs } from "../../events/types/signals.ts";
import { toSqlTime } from "../../lib/time.ts";
import { oneLine } from "../../lib/visible.ts";
import { toFlag } from "../table.ts";
import { policyValue } from "./policies.ts";
import { startSessionForSignal } from "./session-states.ts";
import type { Board, Session } from "./tables.ts";

/**
 * Stores a signal's effects until its session ends; nothing is settled before. A late signal is
 * stored too, in a state without effects.
 */
export function recordClosing(
  board: Board,
  event: Event<"signal.done" | "signal.partial" | "signal.stuck">,
  verb: ClosingVerb,
  text: string,
): void {
  const session = takeSignal(board, event);
  if (!session || !standsAfter(board, session.last_closing, verb)) return;
  board.sessions.update(session.id, {
    last_closing: verb,
    last_closing_position: event.position,
    last_closing_text: text,
  });
}

/** Settlement, step 2: whether a closing verb counts after others, by the policy `closing`. */
export function standsAfter(
  board: Pick<Board, "policies">,
  before: ClosingVerb | null,
  verb: ClosingVerb,
): boolean {
  const rule = policyValue(board, "closing");
  if (before === null || rule === "last") return true;
  return rule === "worst" && closingVerbs.indexOf(verb) >= closingVerbs.indexOf(before);
}

export function recordAsk(board: Board, event: Event<"signal.ask">): void {
  const { question, options, preferred, blocking } = event.payload;
  const session = takeSignal(board, event);
  board.questions.insert({
    ...originOf(event, session !== undefined),
    question,
    options: options ? options.map(oneLine).join("\n") : null,
    preferred: preferred === undefined ? null : oneLine(preferred),
    blocking: toFlag(blocking),
    state: session ? "raised" : "informational",
  });
}

export function recordBlocked(board: Board, event: Event<"signal.blocked">): void {
  const { on, kind, detail } = event.payload;
  const session = takeSignal(board, event);
  board.blockers.insert({
    ...originOf(event, session !== undefined),
    on,
    kind,
    detail: detail ?? null,
    state: session ? "raised" : "informational",
    contests: 0,
  });
}

export function recordSuggest(board: Board, event: Event<"signal.suggest">): void {
  const { what, kind, why, feature } = event.payload;
  const session = takeSignal(board, event);
  board.suggestions.insert({
    ...originOf(event, session !== undefined),
    what,
    kind,
    why,
    feature: feature ?? null,
    unknown_feature: 0,
    confirmed: 0,
    state: "stored",
  });
}

/** Problems reported by agents, including late reports. */
export function recordFlag(board: Board, event: Event<"signal.flag">): void {
  const { position, payload, recordedAt } = event;
  board.flags.insert({
    id: position,
    task_id: payload.task,
    session_id: payload.session,
    what: payload.what,
    severity: payload.severity,
    category: payload.category,
    acted_at: null,
    acted_in: null,
    acted_by: null,
    created: toSqlTime(recordedAt),
  });
  takeSignal(board, event);
}

/** Learnings have their own tables; the board notes that a session reported one. */
export function noteLearning(board: Board, event: Event<"signal.learned">): void {
  const session = takeSignal(board, event);
  if (session?.learned === 0) board.sessions.update(session.id, { learned: 1 });
}

/** The session that the signal counts for; undefined if it is late. */
function takeSignal(board: Board, event: SignalEvent): Session | undefined {
  keepSignal(board, event);
  return startSessionForSignal(board, event, event.payload);
}

function originOf(event: Event<"signal.ask" | "signal.blocked" | "signal.suggest">, counts: boolean) {
  return {
    id: event.position,
    task_id: event.payload.task,
    session_id: event.payload.session,
    late: toFlag(!counts),
    created: toSqlTime(event.recordedAt),
  };
}

type SignalEvent = Event<`signal.${Verb}`>;

/**
 * Stores a signal with its task's current discipline and feature; later changes of the task do not
 * affect it.
 */
function keepSignal(board: Board, event: SignalEvent): void {
  const { task: task_id, session: session_id, ...args } = event.payload;
  // Which columns are set depends on the verb.
  const { summary, remaining, reason, kind, severity, blocking, feature }: Partial<Record<string, unknown>> =
    args;
  const task = board.tasks.get(task_id);
  const featureName = textOrNull(feature) ?? task?.feature;
  board.signals.insert({
    id: event.position,
    task_id,
    session_id,
    verb: verbOf(event.type),
    payload: JSON.stringify(args),
    body: definitionOf(event.type)?.timeline(event.payload) ?? "",
    blocking: typeof blocking === "boolean" ? (blocking ? 1 : 0) : null,
    kind: textOrNull(kind) ?? textOrNull(severity),
    summary: textOrNull(summary),
    remaining: textOrNull(remaining),
    reason: textOrNull(reason),
    discipline: task?.discipline ?? null,
    discipline_id: task ? (board.disciplineNames.get(task.discipline)?.position ?? null) : null,
    feature_id: featureName === undefined ? null : (board.featureNames.get(featureName)?.position ?? null),
    actor: event.actor,
    created: toSqlTime(event.recordedAt),
  });
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function verbOf(type: `signal.${Verb}`): Verb {
  // The definition of a signal's type guarantees that its verb follows the dot.
  return type.slice("signal.".length) as Verb;
}
