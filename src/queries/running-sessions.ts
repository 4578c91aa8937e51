import type { SessionState } from "../events/types/sessions.ts";
import type { Verb } from "../events/types/signals.ts";
import { parseColumn } from "../projections/parse-column.ts";
import { question } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";
import { LAST_STATES } from "./last-states.ts";
import { firstArgument } from "./signal-text.ts";

/** A session that is open now: the phase that it is in, what it said last, what its agent has used so far. */
export interface RunningSession {
  readonly session: string;
  /** Null for a session without one. */
  readonly task: number | null;
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
export function runningSessions(readModel: ReadView): RunningSession[] {
  return readModel.all(RUNNING, {}).map(({ phases, last_payload, ...row }) => ({
    ...row,
    phases: parseColumn(phases),
    last_text: last_payload === null ? null : firstArgument(last_payload),
  }));
}

const RUNNING = question()((tables) =>
  tables
    .selectFrom("sessions as s")
    .leftJoin("tasks as t", "t.id", "s.task_id")
    .leftJoin("session_states as now", (join) =>
      join.onRef("now.session_id", "=", "s.id").onRef("now.ordinal", "=", "s.states"),
    )
    .leftJoin("signals as g", (join) =>
      join.on("g.id", "=", (eb) =>
        eb
          .selectFrom("signals as told")
          .whereRef("told.session_id", "=", "s.id")
          .select(({ fn }) => fn.max("told.id").as("id")),
      ),
    )
    .leftJoin("agents as a", "a.session_id", "s.id")
    .where("s.completed_at", "is", null)
    .select(["s.id as session", "s.task_id as task"])
    .select(({ fn, val }) => fn.coalesce("t.title", val("")).as("task_title"))
    .select("s.current_state as state")
    .select(({ fn, val }) => fn.coalesce("now.entered_at", val("")).as("entered_at"))
    .select((eb) =>
      eb
        .selectFrom(LAST_STATES)
        .select(({ fn, val }) =>
          fn<string>("json_group_array", [
            fn("json_object", [val("state"), "p.state", val("entered_at"), "p.entered_at"]),
          ]).as("phases"),
        )
        // An aggregate always has a row.
        .$asScalar()
        .$notNull()
        .as("phases"),
    )
    .select(["s.irregular", "s.signals", "s.driver", "g.verb as last_verb", "g.payload as last_payload"])
    .select(["a.agent", "a.model", "a.turns", "a.input_tokens", "a.output_tokens", "a.cost_micro_usd"])
    .orderBy("s.started_position"),
);
