import { stateOf as rowsOf } from "../../src/decisions/state.ts";
import type { ReadModel } from "../../src/read-model/read-model.ts";
import { dependenciesOf, type ModelBoard, readyOf, stateOf } from "./model-board.ts";

/** What is compared, in one shape for the model and for the read model. */
export type BoardView = ReturnType<typeof viewOfModel>;

export function viewOfModel(board: ModelBoard) {
  return {
    tasks: ascending(board.tasks.values(), ({ id }) => id).map((task) => ({
      id: task.id,
      title: task.title,
      status: task.status as string,
      origin: task.origin as string,
      feature: task.feature,
      awaiting: task.awaiting,
      open_session: task.openSession ?? null,
      unverified: task.unverified,
      stuck_count: task.stuckCount,
      sessions: task.sessions,
      inferred_stucks: task.inferredStucks,
      failed_gate_attempts: task.failedAttempts,
      partials_in_a_row: task.partialsInARow,
      unchanged_in_a_row: task.unchangedInARow,
      no_progress_in_a_row: task.notOnInARow,
      partial_closings_in_a_row: task.closedPartialInARow,
      stalled: task.stalled,
      depends_on: dependenciesOf(task),
      gates: task.gates.map(({ state, attempts, approval }) => `${state} ${attempts} ${approval}`),
      waiting_gates: task.gates.filter(({ approval }) => approval === "waiting").length,
    })),
    sessions: [...board.sessions.values()].map((session) => ({
      id: session.id,
      task: session.task,
      closing: (session.outcome && session.closing) ?? null,
      inferred: session.inferred,
      outcome: session.outcome ?? null,
      states: [...session.states] as string[],
      irregular: session.irregular,
      signals: session.signals,
      late: session.late,
    })),
    questions: [...board.questions].map(([id, question]) => `${id} ${stateOf(question)}`),
    blockers: [...board.blockers].map(
      ([id, blocker]) =>
        `${id} ${stateOf(blocker)} ${blocker.dependsOn ?? "-"}${blocker.contests ? " contested" : ""}`,
    ),
    suggestions: [...board.suggestions].map(
      ([id, suggestion]) => `${id} ${suggestion.state} ${suggestion.proposedTask ?? "-"}`,
    ),
    ready: readyOf(board),
  };
}

/** A look at a read model, as often as one likes: its statements are prepared once. */
export function viewerOf(readModel: ReadModel): () => BoardView {
  const rows = rowsOf(readModel);
  const ready = readModel.database.prepare<[], number>("SELECT id FROM ready_tasks").pluck();
  return () => ({
    tasks: rows.tasks.scan().map((task) => ({
      id: task.id,
      title: task.title,
      status: task.status,
      origin: task.origin,
      feature: task.feature,
      awaiting: task.awaiting_acceptance === 1,
      open_session: task.open_session,
      unverified: task.unverified_done === 1,
      stuck_count: task.stuck_count,
      sessions: task.sessions,
      inferred_stucks: task.inferred_stucks,
      failed_gate_attempts: task.failed_gate_attempts,
      partials_in_a_row: task.partials_in_a_row,
      unchanged_in_a_row: task.unchanged_in_a_row,
      no_progress_in_a_row: task.no_progress_in_a_row,
      partial_closings_in_a_row: task.partial_closings_in_a_row,
      stalled: task.stalled_at > 0,
      depends_on: JSON.parse(task.depends_on),
      gates: rows.gates
        .where({ task_id: task.id })
        .map(({ state, attempts, approval }) => `${state} ${attempts} ${approval}`),
      waiting_gates: task.unapproved_gates,
    })),
    sessions: ascending(rows.sessions.scan(), ({ started_position }) => started_position).map((session) => ({
      id: session.id,
      task: session.task_id ?? 0,
      closing: session.closing,
      inferred: session.inferred === 1,
      outcome: session.outcome,
      states: rows.sessionStates.where({ session_id: session.id }).map(({ state }) => state),
      irregular: session.irregular,
      signals: session.signals,
      late: session.late,
    })),
    questions: rows.questions.scan().map(({ id, state }) => `${id} ${state}`),
    blockers: rows.blockers
      .scan()
      .map(
        ({ id, state, depends_on, contests }) =>
          `${id} ${state} ${depends_on ?? "-"}${contests ? " contested" : ""}`,
      ),
    suggestions: rows.suggestions
      .scan()
      .map(({ id, state, proposed_task }) => `${id} ${state} ${proposed_task ?? "-"}`),
    ready: ready.all(),
  });
}

function ascending<T>(things: Iterable<T>, by: (thing: T) => number): T[] {
  return [...things].sort((a, b) => by(a) - by(b));
}
