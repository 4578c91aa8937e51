import { hash } from "node:crypto";
import { fromIsoTime, fromSqlTime, type Microseconds, type SessionTrace, visible } from "./core.ts";
import { attributes, INTERNAL, nanoseconds, type OtlpEvent, type OtlpSpan, STATUS } from "./otlp.ts";

/** How much of a text that an agent or a human wrote goes out, in characters. */
const TEXT_LIMIT = 300;
/** How many events a session's span has at most; what is left out is counted. */
const EVENT_LIMIT = 1_000;

/**
 * The trace of a session: its span, a span for each phase, one for each run of a gate. Texts are cut and made visible; no
 * prompt, no output of a command and no command goes out.
 *
 * @param origin the id of the log's first event
 */
export function spansOf(trace: SessionTrace, origin: string): OtlpSpan[] {
  const { session } = trace;
  const traceId = traceIdOf(origin, session.id, session.started_position);
  const root = spanIdOf(traceId, "session", session.started_position);
  return [
    sessionSpan(trace, { traceId, spanId: root }),
    ...phaseSpans(trace, traceId, root),
    ...gateSpans(trace, traceId, root),
  ];
}

function sessionSpan(
  trace: SessionTrace,
  ids: { readonly traceId: string; readonly spanId: string },
): OtlpSpan {
  const { session, task, agent } = trace;
  const events = [...signalEvents(trace), ...gateEvents(trace)].sort(byTime);
  return {
    ...ids,
    name: "session",
    kind: INTERNAL,
    startTimeUnixNano: nanoseconds(fromSqlTime(session.started_at)),
    endTimeUnixNano: nanoseconds(fromSqlTime(session.completed_at)),
    attributes: attributes({
      "signalbox.session.id": shown(session.id),
      "signalbox.session.exit": session.exit,
      "signalbox.session.outcome": session.outcome,
      "signalbox.session.closing": session.closing,
      "signalbox.session.inferred": session.inferred === 1,
      "signalbox.session.unverified": session.unverified === 1,
      "signalbox.session.late_signals": session.late,
      "signalbox.session.end_reason": shown(session.end_reason),
      "signalbox.task.id": session.task_id,
      "signalbox.task.title": shown(task?.title),
      "signalbox.task.feature": shown(task?.feature),
      "signalbox.task.discipline": shown(task?.discipline),
      "signalbox.agent.name": shown(agent?.agent),
      "signalbox.agent.model": shown(agent?.model),
      "signalbox.agent.turns": agent?.turns,
      "signalbox.agent.input_tokens": agent?.input_tokens,
      "signalbox.agent.output_tokens": agent?.output_tokens,
      "signalbox.agent.cost_micro_usd": agent?.cost_micro_usd,
    }),
    events: events.slice(0, EVENT_LIMIT),
    droppedEventsCount: Math.max(0, events.length - EVENT_LIMIT),
    status: { code: STATUS_OF[session.outcome ?? "cancelled"] },
  };
}

/** Partial work and what a human stopped is neither right nor wrong. */
const STATUS_OF = {
  success: STATUS.ok,
  partial: STATUS.unset,
  cancelled: STATUS.unset,
  failure: STATUS.error,
  timeout: STATUS.error,
} as const;

function phaseSpans({ session, states }: SessionTrace, traceId: string, parentSpanId: string): OtlpSpan[] {
  const end = fromSqlTime(session.completed_at);
  return states.flatMap(({ state, ordinal, position, entered_at, irregular }, index) => {
    // The last state begins with the session's end, and lasts no time.
    if (state === "done" || state === "failed") return [];
    const next = states[index + 1];
    return {
      ...child(traceId, parentSpanId, spanIdOf(traceId, "phase", position)),
      name: state,
      startTimeUnixNano: nanoseconds(fromIsoTime(entered_at)),
      endTimeUnixNano: nanoseconds(next ? fromIsoTime(next.entered_at) : end),
      attributes: attributes({
        "signalbox.phase.ordinal": ordinal,
        "signalbox.phase.irregular": irregular === 1,
        "signalbox.position": position,
      }),
      status: { code: STATUS.unset },
    };
  });
}

function gateSpans({ gateRuns }: SessionTrace, traceId: string, parentSpanId: string): OtlpSpan[] {
  return gateRuns.map((run) => {
    const end = fromSqlTime(run.completed_at);
    return {
      ...child(traceId, parentSpanId, spanIdOf(traceId, "gate", run.id)),
      name: run.kind === "baseline" ? "gate baseline" : "gate",
      startTimeUnixNano: nanoseconds(startOf(run, end)),
      endTimeUnixNano: nanoseconds(end),
      attributes: attributes({
        "signalbox.gate.number": run.gate,
        "signalbox.gate.state": run.state,
        "signalbox.gate.exit_code": run.exit_code,
        "signalbox.gate.signal": shown(run.signal),
        "signalbox.gate.timed_out": run.timed_out === 1,
        "signalbox.gate.duration_ms": run.duration_ms,
        "signalbox.position": run.id,
      }),
      status: { code: run.state === "passed" ? STATUS.ok : STATUS.error },
    };
  });
}

/** Of a run elsewhere only its end and how long it took is known. */
function startOf({ started_at, duration_ms }: SessionTrace["gateRuns"][number], end: Microseconds) {
  return started_at === null ? end - (duration_ms ?? 0) * 1_000 : fromSqlTime(started_at);
}

function signalEvents({ signals }: SessionTrace): OtlpEvent[] {
  return signals.map(({ id, verb, kind, blocking, body, created }) => ({
    timeUnixNano: nanoseconds(fromSqlTime(created)),
    name: `signal.${verb}`,
    attributes: attributes({
      "signalbox.position": id,
      "signalbox.signal.kind": kind,
      "signalbox.signal.blocking": blocking === null ? null : blocking === 1,
      "signalbox.signal.text": shown(body),
    }),
  }));
}

function gateEvents({ gateRuns }: SessionTrace): OtlpEvent[] {
  return gateRuns
    .filter(({ kind }) => kind === "attempt")
    .map(({ id, gate, state, exit_code, completed_at }) => ({
      timeUnixNano: nanoseconds(fromSqlTime(completed_at)),
      name: `gate.${state}`,
      attributes: attributes({
        "signalbox.position": id,
        "signalbox.gate.number": gate,
        "signalbox.gate.exit_code": exit_code,
      }),
    }));
}

function child(traceId: string, parentSpanId: string, spanId: string) {
  return { traceId, spanId, parentSpanId, kind: INTERNAL, events: [], droppedEventsCount: 0 } as const;
}

function shown(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  const characters = [...text.slice(0, 4 * TEXT_LIMIT)];
  const cut = text.length > 4 * TEXT_LIMIT || characters.length > TEXT_LIMIT;
  return visible(cut ? `${characters.slice(0, TEXT_LIMIT - 1).join("")}…` : text);
}

/** Texts of the same length: later ones have as many digits, until 2286. */
function byTime(a: OtlpEvent, b: OtlpEvent): number {
  return a.timeUnixNano < b.timeUnixNano ? -1 : a.timeUnixNano > b.timeUnixNano ? 1 : 0;
}

/**
 * The id of a session's trace, 32 hex digits. It follows from the log alone, so that what is sent twice is the same trace.
 *
 * @param origin the id of the log's first event, which no other log has: two projects may both have a session `s-1`
 */
function traceIdOf(origin: string, session: string, startedPosition: number): string {
  return digest(["trace", origin, session, startedPosition]).slice(0, 32);
}

/** The id of a span, 16 hex digits. @param position of the event at which it began */
function spanIdOf(traceId: string, kind: "session" | "phase" | "gate", position: number): string {
  return digest(["span", traceId, kind, position]).slice(0, 16);
}

/** All zeros would be no id; that a digest begins so does not happen. */
function digest(parts: readonly (string | number)[]): string {
  return hash("sha256", JSON.stringify(["signalbox", ...parts]), "hex");
}
