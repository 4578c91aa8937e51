import { sql } from "kysely";
import { counted } from "../lib/readable.ts";
import { shorten } from "../lib/shorten.ts";
import { linkedTask } from "../projections/board/blockers.ts";
import { policyValue } from "../projections/board/policies.ts";
import { boardTables, type Gate, type Task } from "../projections/board/tables.ts";
import { taskActsTable } from "../projections/task-acts.ts";
import { question } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";
import { inShort, STALL_WORDS, type TaskTrouble } from "./labels/in-short.ts";

/** Why a task is in its state, in one sentence; null where nothing is wrong with it, or there is no such task. */
export function taskInShort(readModel: ReadView, id: number): string | null {
  const task = readModel.rowsOf({ tasks: boardTables.tasks }).tasks.get(id);
  return task ? inShort(troubleOf(readModel, task)) : null;
}

function troubleOf(readModel: ReadView, task: Task): TaskTrouble {
  const { id, status, status_since } = task;
  const { tasks, questions, blockers, policies, acts } = readModel.rowsOf({
    ...boardTables,
    acts: taskActsTable,
  });
  const last = acts.get(status_since, id);
  const gates = gatesOf(readModel, id);
  const isCounted =
    task.stuck_count >= policyValue({ policies }, "stuck_limit") ||
    gates.every(({ state }) => state !== "aborted");
  return {
    status,
    set_by: last?.type === "task.status_set" ? last.actor : null,
    gates,
    stuck: readModel
      .all(STUCK, { task: id, limit: isCounted ? task.stuck_count : 0 })
      .map(({ text }) => (text === null ? null : firstWords(text))),
    open_questions: questions.where({ task_id: id, state: "open" }).length,
    blockers: blockers
      .where({ task_id: id, state: "open" })
      .map((blocker) => ({ task: linkedTask({ tasks }, blocker), on: firstWords(blocker.on) })),
    awaits_acceptance: task.awaiting_acceptance === 1,
    stalled: stalledWords(task),
    held_after: task.held_at > 0 ? task.cancelled_in_a_row : 0,
    stuck_sessions: readModel.get(STUCK_EVER, { task: id })?.sessions ?? 0,
    failed_attempts: task.failed_gate_attempts,
  };
}

function stalledWords({ stalled_by, no_progress_in_a_row, partial_closings_in_a_row }: Task): string | null {
  if (stalled_by === null) return null;
  const row = stalled_by === "partials" ? partial_closings_in_a_row : no_progress_in_a_row;
  return `${counted(row, "session")} in a row ${STALL_WORDS[stalled_by]}`;
}

function gatesOf(readModel: ReadView, task: number): TaskTrouble["gates"] {
  const { gates, acts } = readModel.rowsOf({ gates: boardTables.gates, acts: taskActsTable });
  return gates
    .where({ task_id: task })
    .flatMap(({ gate, state, attempts, last_position, approval_position, ...row }) => {
      if (state !== "escalated" && state !== "aborted" && state !== "skipped") return [];
      const acted = row.last_action === null ? approval_position : last_position;
      const by = state === "escalated" ? null : (acts.get(acted ?? 0, task)?.actor ?? null);
      const failures = readModel.all(FAILURES, { task, gate, limit: attempts }).map(failureOf);
      return [{ gate, state, failures, by }];
    });
}

function failureOf(run: {
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly timed_out: Gate["last_timed_out"];
  readonly state: string;
}): string {
  if (run.state === "interrupted") return "was interrupted";
  if (run.timed_out) return "timed out";
  if (run.exit_code !== null) return `exited ${run.exit_code}`;
  return run.signal === null ? "could not be ended" : `was ended by ${run.signal}`;
}

/** The beginning of what an agent said, on one line. */
function firstWords(text: string): string {
  return shorten(text.trim().replace(/\s+/g, " "), LENGTH);
}

const LENGTH = 80;

const STUCK = question<{ task: number; limit: number }>()((tables, given) =>
  tables
    .selectFrom("sessions")
    .select((eb) =>
      sql<string | null>`iif(${eb.ref("inferred")}, NULL, ${eb.ref("last_closing_text")})`.as("text"),
    )
    .where("task_id", "=", given("task"))
    .where("closing", "=", "stuck")
    .orderBy("ended_position", "desc")
    .limit(given("limit")),
);
const STUCK_EVER = question<{ task: number }>()((tables, given) =>
  tables
    .selectFrom("sessions")
    .select(({ fn }) => fn.countAll<number>().as("sessions"))
    .where("task_id", "=", given("task"))
    .where("closing", "=", "stuck"),
);
/** The last attempts that did not pass, the last first. */
const FAILURES = question<{ task: number; gate: number; limit: number }>()((tables, given) =>
  tables
    .selectFrom("gate_runs")
    .select(["exit_code", "signal", "timed_out", "state"])
    .where("task_id", "=", given("task"))
    .where("gate", "=", given("gate"))
    .where("kind", "=", "attempt")
    .where("state", "in", ["failed", "interrupted"])
    .orderBy("id", "desc")
    .limit(given("limit")),
);
