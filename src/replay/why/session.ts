import type { EventLog } from "../../events/log.ts";
import { boardTables, type Session } from "../../projections/board/tables.ts";
import type { ReadModel } from "../../projections/read-model.ts";
import { signalsTable } from "../../projections/signals.ts";
import { type Fact, factsIn } from "./fact.ts";
import type { ItemStep } from "./item.ts";
import { RULES } from "./rules.ts";
import { type StatusReason, statusReasons } from "./status.ts";

/** Why a session came to its outcome, and what it moved. Events are named by their positions and stand in `events`. */
export interface SessionReasons {
  readonly kind: "session";
  readonly at: number;
  readonly id: string;
  readonly task: number;
  readonly outcome: Session["outcome"];
  readonly closing: Session["closing"];
  /** From its end back to its start. */
  readonly because: readonly ItemStep[];
  /** Changes of its task's status, and of drafts that it proposed, which it made; the last one first. */
  readonly moved: readonly StatusReason[];
  readonly events: readonly Fact[];
}

/** @returns undefined where there is no such session */
export async function whySession(
  readModel: ReadModel,
  log: EventLog,
  id: string,
): Promise<SessionReasons | undefined> {
  const { sessions, suggestions } = readModel.rowsOf(boardTables);
  const session = sessions.get(id);
  if (!session) return undefined;
  const because = stepsOf(readModel, session);
  const drafts = suggestions.where({ session_id: id }).flatMap(({ proposed_task }) => proposed_task ?? []);
  const moved: StatusReason[] = [];
  for (const task of [session.task_id, ...drafts]) {
    const reasons = await statusReasons(readModel, log, task);
    moved.push(...reasons.filter((reason) => reason.session === id));
  }
  return {
    kind: "session",
    at: readModel.position(),
    id,
    task: session.task_id,
    outcome: session.outcome,
    closing: session.closing,
    because,
    moved,
    events: await factsIn(readModel, log).at([
      ...because.flatMap(({ events }) => events),
      ...moved.flatMap(({ causes, counted }) => [...causes, ...counted]),
    ]),
  };
}

function stepsOf(readModel: ReadModel, session: Session): ItemStep[] {
  const { id, implicit, started_position, ended_position } = session;
  const signals = readModel
    .rowsOf({ signals: signalsTable })
    .signals.where({ session_id: id, task_id: session.task_id });
  const end = ended_position ?? Number.POSITIVE_INFINITY;
  const closings = signals
    .filter((signal) => CLOSING.has(signal.verb) && signal.id < end)
    .map((signal) => signal.id);
  const late = signals.filter((signal) => signal.id > end).map((signal) => signal.id);
  return [
    ...(late.length > 0 ? [{ means: RULES.late, events: late }] : []),
    ...(ended_position === null ? [] : endSteps(session, ended_position)),
    ...(closings.length > 0 ? [{ means: RULES.closing, events: closings }] : []),
    { means: implicit ? RULES.implicit : RULES.started, events: [started_position] },
  ];
}

const CLOSING: ReadonlySet<string> = new Set(["done", "partial", "stuck"]);

/** What came of the closing verb; where it stands as it is, the verb itself says all. */
function endSteps({ closing, inferred, unverified }: Session, ended: number): ItemStep[] {
  if (inferred) return [{ means: RULES.inferred, events: [ended] }];
  if (closing === null) return [{ means: RULES.cancelled, events: [ended] }];
  if (unverified) return [{ means: RULES.unverified, events: [ended] }];
  return [{ means: RULES.settled, events: [ended] }];
}
