import { shorten } from "../lib/shorten.ts";
import { agentsTable } from "../projections/agents.ts";
import { sessions } from "../projections/board/session-tables.ts";
import { tasks } from "../projections/board/tables.ts";
import { promptsTable } from "../projections/prompts.ts";
import type { Row } from "../projections/table.ts";
import { taskActsTable } from "../projections/task-acts.ts";
import { sessionFiles } from "../projections/workspaces.ts";
import type { ReadView } from "../read-model/read-view.ts";
import { type GateRunHead, gateRunsOfSession } from "./gate-runs.ts";
import { type SessionDetails, sessionDetails } from "./session-details.ts";
import { type SessionLine, sessionLine } from "./session-list.ts";

/** All that is known of a session, its long parts cut: beside its details, its task, its agent, its files and its prompt. */
export interface SessionView
  extends Pick<
      SessionDetails,
      | "id"
      | "task_id"
      | "current_state"
      | "exit"
      | "end_reason"
      | "closing"
      | "inferred"
      | "unverified"
      | "outcome"
      | "forced"
      | "implicit"
      | "driver"
      | "late"
      | "workspace_start"
      | "workspace_end"
      | "started_position"
      | "ended_position"
      | "started_at"
      | "completed_at"
      | "proof"
    >,
    Pick<SessionLine, "returns" | "failure" | "irregular"> {
  /** Which of its task's sessions it is, from 1; 0 without a task. */
  readonly ordinal: number;
  /** Empty where the task was deleted. */
  readonly task_title: string;
  /** The last ones. */
  readonly states: readonly ViewedState[];
  readonly states_before: number;
  /** The last ones. */
  readonly signals: readonly (Pick<SessionDetails["timeline"][number], "id" | "verb" | "body" | "created"> & {
    /** After the session's end: it settled nothing. */
    readonly late: boolean;
  })[];
  readonly signals_before: number;
  /** The last runs of gates in its course. */
  readonly gate_runs: readonly GateRunHead[];
  /** What its agent tried by commands and was refused: the last ones. */
  readonly refused: readonly { readonly position: number; readonly body: string }[];
  /** Null where no driver ran its agent. */
  readonly agent: Omit<Row<typeof agentsTable>, "session_id"> | null;
  /** Those that differ from what it began with, and how many there are. */
  readonly files: readonly string[];
  readonly files_in_all: number;
  readonly prompt: Pick<Row<typeof promptsTable>, "position" | "characters" | "tokens" | "cut"> | null;
}

type ViewedState = Pick<
  SessionDetails["state_history"][number],
  "ordinal" | "state" | "irregular" | "position" | "entered_at"
>;

/** @returns undefined where there is no such session */
export function sessionView(readModel: ReadView, id: string): SessionView | undefined {
  const details = sessionDetails(readModel, id);
  const line = sessionLine(readModel, id);
  if (!details || !line) return undefined;
  const { state_history, timeline, ...session } = details;
  const rows = readModel.rowsOf({
    tasks,
    sessions,
    agents: agentsTable,
    files: sessionFiles,
    prompts: promptsTable,
    acts: taskActsTable,
  });
  const files = rows.files.where({ session_id: id }).map(({ path }) => path);
  const prompt = rows.prompts.get(id);
  const { task_id: task } = session;
  const siblings = task === null ? [] : rows.sessions.where({ task_id: task });
  return {
    ...session,
    ordinal: siblings.filter(({ started_position: at }) => at <= session.started_position).length,
    returns: line.returns,
    failure: line.failure,
    irregular: line.irregular,
    task_title: rows.tasks.get(session.task_id ?? 0)?.title ?? "",
    states: state_history.slice(-SHOWN).map(({ metadata: _, ...state }) => state),
    states_before: Math.max(0, state_history.length - SHOWN),
    signals: timeline.slice(-SHOWN).map(({ payload: _, body, ...signal }) => ({
      ...signal,
      body: shorten(body, BODY_LENGTH),
      late: session.ended_position !== null && signal.id > session.ended_position,
    })),
    gate_runs: task === null ? [] : gateRunsOfSession(readModel, { task, session: id, limit: SHOWN }),
    signals_before: Math.max(0, timeline.length - SHOWN),
    refused: rows.acts
      .where({ session_id: id })
      .filter(({ type }) => type === "session.act_refused")
      .slice(-SHOWN)
      .map(({ position, body }) => ({ position, body: shorten(body, BODY_LENGTH) })),
    agent: rows.agents.get(id) ?? null,
    files: files.slice(0, SHOWN),
    files_in_all: files.length,
    prompt: prompt
      ? {
          position: prompt.position,
          characters: prompt.characters,
          tokens: prompt.tokens,
          cut: prompt.cut,
        }
      : null,
  };
}

const SHOWN = 200;
const BODY_LENGTH = 2_000;
