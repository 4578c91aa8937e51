import type { NewEvent } from "../../events/event.ts";
import type { Appended } from "../../events/log.ts";
import { signalPayload } from "../../events/types/define-signal.ts";
import type { Event } from "../../events/types/index.ts";
import type { ReportedState, SessionState } from "../../events/types/sessions.ts";
import type { Verb } from "../../events/types/signals.ts";
import { LogError } from "../../lib/log-error.ts";
import type { IsoTime } from "../../lib/time.ts";
import { isIrregular } from "../../projections/board/session-states.ts";
import { catchUp } from "../../read-model/worker.ts";
import { requireOutsideGates } from "../outside-gates.ts";
import { Refusal } from "../refusal.ts";
import { stateOf } from "../state.ts";
import type { Store } from "../store.ts";

/** The origin of a report: fixed when the agent's server is launched. */
export interface Reporter {
  readonly task: number;
  readonly session: string;
  readonly actor: string;
}

/**
 * Records a signal. A fact: appended as it arrives; settles nothing before its session ends.
 *
 * @param id the event's id; repeating the signal under it records nothing
 * @throws LogError `invalid_event`, `id_conflict`, `busy`, `disk`
 */
export async function recordSignal(
  { log }: Pick<Store, "log">,
  reporter: Reporter,
  signal: { verb: Verb; args: Record<string, unknown>; id: string },
): Promise<Appended> {
  const event: NewEvent = {
    id: signal.id,
    type: `signal.${signal.verb}`,
    actor: reporter.actor,
    correlation: reporter.session,
    payload: signalPayload(signal.args, reporter),
  };
  return log.append([event]);
}

/** The effect of a state report. */
export interface StateReport {
  readonly previousState: SessionState;
  readonly newState: ReportedState;
  readonly irregular: boolean;
  readonly transitionedAt: IsoTime;
}

/**
 * Records a report of the agent's phase, on condition that its session is open.
 *
 * @throws Refusal `not_found`: the session was never started; `session_ended`; `in_gate`
 */
export async function reportState(
  store: Store,
  reporter: Pick<Reporter, "session" | "actor">,
  report: { state: ReportedState; metadata?: Record<string, unknown> | undefined; id: string },
): Promise<StateReport> {
  const { state, metadata, id } = report;
  const event: NewEvent = {
    id,
    type: "session.state_reported",
    actor: reporter.actor,
    correlation: reporter.session,
    payload: { session: reporter.session, state, ...(metadata !== undefined && { metadata }) },
  };
  requireOutsideGates(store.readModel);
  for (;;) {
    const known = await store.log.find(id);
    const stream = `session-${reporter.session}`;
    const version = await store.log.streamVersion(stream);
    await catchUp(store.readModel, store.log);
    const before = known ? stateBefore(store, known) : openState(store, reporter.session);
    try {
      const { events } = await store.log.append([event], { expectedStreamVersion: { stream, version } });
      return {
        previousState: before,
        newState: state,
        irregular: isIrregular(before, state),
        transitionedAt: events[0]?.recordedAt ?? "",
      };
    } catch (error) {
      // Another report of the same session came in between: try again.
      if (!(error instanceof LogError) || error.code !== "stream_moved") throw error;
    }
  }
}

/** The answer to a state report, by the tool `update_session_state` and by the command. */
export function stateAnswer({ previousState, newState, transitionedAt, irregular }: StateReport) {
  return {
    success: true as const,
    previousState,
    newState,
    transitionedAt,
    ...(irregular && { hint: `The step from ${previousState} to ${newState} is unusual; it was recorded.` }),
  };
}

/** The state of a session that is open. @throws Refusal `not_found`, `session_ended` */
function openState({ readModel }: Store, id: string): SessionState {
  const session = stateOf(readModel).sessions.get(id);
  if (!session) {
    throw new Refusal("not_found", `Session ${id} never started, so it has no state to change.`);
  }
  if (session.completed_at !== null) {
    throw new Refusal(
      "session_ended",
      `Session ${id} has ended (${session.exit}); its state can no longer change.`,
    );
  }
  return session.current_state;
}

/** A session's state before a report that is already in the log. */
function stateBefore({ readModel }: Store, { position, correlation = "" }: Event): SessionState {
  const states = stateOf(readModel).sessionStates.where({ session_id: correlation });
  return states.findLast((entered) => entered.position < position)?.state ?? "idle";
}
