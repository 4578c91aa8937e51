import type { SessionState } from "../../events/types/sessions.ts";
import type { Verb } from "../../events/types/signals.ts";
import type { ReadModel } from "../read-model.ts";
import { firstArgument } from "./signal-text.ts";

/** A session that is open now: the phase that it is in, what it said last, what its agent has used so far. */
export interface RunningSession {
  readonly session: string;
  readonly task: number;
  readonly task_title: string;
  readonly state: SessionState;
  /** When that state was entered: ISO 8601. */
  readonly entered_at: string;
  /** The states since the start, the present one last; of a long session the last 200. */
  readonly phases: readonly { readonly state: SessionState; readonly entered_at: string }[];
  readonly irregular: number;
  readonly signals: number;
  /** The run of a driver that watches it; null where nobody does. */
  readonly driver: string | null;
  readonly last_verb: Verb | null;
  /** The first argument of that signal: the summary, the question, … */
  readonly last_text: string | null;
  /** Of its agent's program; null is unknown, which is not 0. */
  readonly agent: string | null;
  readonly model: string | null;
  readonly turns: number | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cost_micro_usd: number | null;
}

/** Open sessions in the order in which they started. */
export function runningSessions(readModel: ReadModel): RunningSession[] {
  return readModel
    .prepared<[], RunningRow>(RUNNING)
    .all()
    .map(({ phases, last_payload, ...row }) => ({
      ...row,
      phases: JSON.parse(phases),
      last_text: last_payload === null ? null : firstArgument(last_payload),
    }));
}

type RunningRow = Omit<RunningSession, "phases" | "last_text"> & {
  phases: string;
  last_payload: string | null;
};

const RUNNING = `
  SELECT s.id AS session, s.task_id AS task, coalesce(t.title, '') AS task_title, s.current_state AS state,
    coalesce(now.entered_at, '') AS entered_at,
    (SELECT json_group_array(json_object('state', p.state, 'entered_at', p.entered_at)) FROM (
      SELECT * FROM (SELECT * FROM session_states WHERE session_id = s.id ORDER BY ordinal DESC LIMIT 200)
      ORDER BY ordinal) p) AS phases,
    s.irregular, s.signals, s.driver, g.verb AS last_verb, g.payload AS last_payload,
    a.agent, a.model, a.turns, a.input_tokens, a.output_tokens, a.cost_micro_usd
  FROM sessions s
    LEFT JOIN tasks t ON t.id = s.task_id
    LEFT JOIN session_states now ON now.session_id = s.id AND now.ordinal = s.states
    LEFT JOIN signals g ON g.id = (SELECT max(id) FROM signals WHERE session_id = s.id)
    LEFT JOIN agents a ON a.session_id = s.id
  WHERE s.completed_at IS NULL
  ORDER BY s.started_position`;
