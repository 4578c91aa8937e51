import type { EventLog } from "../../events/log.ts";
import { closingVerbs } from "../../events/types/signals.ts";
import { agentsTable } from "../../projections/agents.ts";
import { signalsTable } from "../../projections/board/signals-table.ts";
import { boardTables, type Session } from "../../projections/board/tables.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { ascending, type Citations, type CitedEvent, citationsIn } from "./cited-events.ts";
import type { ItemStep } from "./item.ts";
import { RULES } from "./rules.ts";
import { changesAt, type ExplainedChange, ruleOfEnd } from "./status.ts";

/**
 * Why a session got its outcome, and its effects. Events are named by their positions and listed in
 * `events`.
 */
export interface SessionReasons {
  readonly kind: "session";
  readonly at: number;
  readonly id: string;
  /** Null for a session without one. */
  readonly task: number | null;
  readonly outcome: Session["outcome"];
  readonly closing: Session["closing"];
  /** From its end back to its start. */
  readonly because: readonly ItemStep[];
  /**
   * Status changes caused by its end and its start, of its task, drafts and dependents; newest
   * first.
   */
  readonly moved: readonly ExplainedChange[];
  readonly events: readonly CitedEvent[];
}

/** @returns undefined if there is no such session */
export async function whySession(
  readModel: ReadModel,
  log: EventLog,
  id: string,
): Promise<SessionReasons | undefined> {
  const session = readModel.rowsOf(boardTables).sessions.get(id);
  if (!session) return undefined;
  const { started_position, ended_position } = session;
  const cite = citationsIn(readModel, log);
  const atEnd = ended_position === null ? [] : await changesAt(readModel, log, ended_position);
  const moved = [...atEnd, ...(await changesAt(readModel, log, started_position))];
  const because = stepsOf(readModel, session, await gateEvents(session, atEnd, cite));
  return {
    kind: "session",
    at: readModel.position(),
    id,
    task: session.task_id,
    outcome: session.outcome,
    closing: session.closing,
    because,
    moved,
    events: await cite([
      ...because.flatMap(({ events }) => events),
      ...moved.flatMap(({ causes, counted }) => [...causes, ...counted]),
    ]),
  };
}

/** The events about the task's gates that its end evaluated, for or against a done (step 4). */
async function gateEvents(
  { task_id, closing, ended_position }: Session,
  atEnd: readonly ExplainedChange[],
  cite: Citations,
): Promise<number[]> {
  const own = closing === "done" ? atEnd.find(({ task }) => task === task_id) : undefined;
  const looked = await cite(own?.causes ?? []);
  return looked
    .filter(
      ({ type, position }) =>
        !type.startsWith("signal.") && type !== "policy.set" && position !== ended_position,
    )
    .map(({ position }) => position);
}

/**
 * The end of its agent, if that explains how the session closed: the denied tools, and the last
 * words if it called no verb.
 */
function agentEvents(readModel: ReadModel, { id, closing, inferred }: Session): number[] {
  const agent = readModel.rowsOf({ agents: agentsTable }).agents.get(id);
  if (!agent || agent.ended_position === null) return [];
  const silent = closing === null || inferred === 1;
  return agent.denied !== "[]" || (silent && agent.last_words !== null) ? [agent.ended_position] : [];
}

function stepsOf(readModel: ReadModel, session: Session, gates: readonly number[]): ItemStep[] {
  const { id, implicit, started_position, ended_position } = session;
  const signals = readModel
    .rowsOf({ signals: signalsTable })
    .signals.where({ session_id: id }, ({ task_id }) => task_id === session.task_id);
  const end = ended_position ?? Number.POSITIVE_INFINITY;
  const closings = signals
    .filter(({ verb, id: at }) => closingVerbs.some((closing) => closing === verb) && at < end)
    .map((signal) => signal.id);
  const late = signals.filter((signal) => signal.id > end).map((signal) => signal.id);
  return [
    ...(late.length > 0 ? [{ means: RULES.late, events: late }] : []),
    ...(ended_position === null
      ? []
      : endSteps(readModel, session, { gates, ended: [...agentEvents(readModel, session), ended_position] })),
    ...(closings.length > 0 ? [{ means: RULES.closing, events: closings }] : []),
    { means: implicit ? RULES.implicit : RULES.started, events: [started_position] },
  ];
}

/** The effect of the closing verb, and of the gates on it. */
function endSteps(
  readModel: ReadModel,
  session: Session,
  { gates, ended }: { readonly gates: readonly number[]; readonly ended: readonly number[] },
): ItemStep[] {
  const rule = ruleOfEnd(readModel, session);
  if (rule) return [{ means: rule, events: ascending([...gates, ...ended]) }];
  const verified = { means: RULES.verified, events: gates };
  return [{ means: RULES.settled, events: ended }, ...(gates.length > 0 ? [verified] : [])];
}
