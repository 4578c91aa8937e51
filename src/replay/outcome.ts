import { stateOf } from "../decisions/state.ts";
import { commentsTable } from "../projections/comments.ts";
import { learningSources } from "../projections/learnings.ts";
import { parseColumn } from "../projections/parse-column.ts";
import { sessionOutcome } from "../queries/find-sessions.ts";
import { readyTasks } from "../queries/tasks.ts";
import type { ReadModel } from "../read-model/read-model.ts";
import type { Outcome } from "./simulation.ts";

/** Facts that the read model lacks: which tasks, sessions and signals belong to the simulation. */
export interface Replayed {
  readonly trails: ReadonlyMap<number, readonly string[]>;
  readonly sessions: readonly string[];
  readonly ask: readonly number[];
  readonly blocked: readonly number[];
  readonly suggest: readonly number[];
  readonly rejected: number;
}

/** The result of a simulation, in the shape of its `expected`. */
export function outcomeOf(readModel: ReadModel, replayed: Replayed): Outcome {
  const state = stateOf(readModel);
  const { sources, comments } = readModel.rowsOf({
    sources: learningSources,
    comments: commentsTable,
  });
  const ids = [...replayed.trails.keys()].sort((a, b) => a - b);
  const severities = ids.flatMap((id) => state.flags.where({ task_id: id })).map(({ severity }) => severity);
  const learned = ids.flatMap((id) => sources.where({ task_id: id })).sort((a, b) => a.id - b.id);
  const commented = ids.flatMap((id) => {
    const count = comments.where({ task_id: id }).length;
    return count > 0 ? [[String(id), count] as const] : [];
  });
  return {
    tasks: Object.fromEntries(ids.map((id) => [String(id), taskOutcome(state, id, replayed)])),
    sessions: Object.fromEntries(
      replayed.sessions.flatMap((id) => {
        const outcome = sessionOutcome(readModel, id);
        // Each of a simulation has a task.
        return outcome ? [[id, { ...outcome, task: outcome.task ?? 0 }]] : [];
      }),
    ),
    asks: replayed.ask
      .flatMap((id) => state.questions.get(id) ?? [])
      .map(({ task_id, blocking, state: is }) => ({
        task: task_id,
        blocking: blocking === 1,
        state: is,
      })),
    blockers: replayed.blocked
      .flatMap((id) => state.blockers.get(id) ?? [])
      .map(({ task_id, kind, state: is, depends_on }) => ({ task: task_id, kind, state: is, depends_on })),
    suggestions: replayed.suggest
      .flatMap((id) => state.suggestions.get(id) ?? [])
      .map(({ kind, state: is, proposed_task }) => ({ kind, state: is, task: proposed_task })),
    learnings: learned.map(({ kind, scope, task_id }) => ({
      kind,
      scope,
      // A verb's signal always has a task.
      task: task_id ?? 0,
    })),
    flags: {
      info: severities.filter((severity) => severity === "info").length,
      warning: severities.filter((severity) => severity === "warning").length,
      blocking: severities.filter((severity) => severity === "blocking").length,
    },
    comments: Object.fromEntries(commented),
    ready: readyTasks(readModel)
      .map(({ id }) => id)
      .filter((id) => replayed.trails.has(id)),
    rejected: replayed.rejected,
  };
}

function taskOutcome(
  state: ReturnType<typeof stateOf>,
  id: number,
  { trails }: Replayed,
): Outcome["tasks"][string] {
  const task = state.tasks.get(id);
  if (!task) throw new Error(`task ${id} was seen and is not there`);
  return {
    status: task.status,
    origin: task.origin,
    feature: task.feature,
    stuck_count: task.stuck_count,
    sessions: task.sessions,
    depends_on: parseColumn(task.depends_on),
    gates: state.gates.where({ task_id: id }).map((gate) => gate.state),
    stagnation: {
      inferred_stucks: task.inferred_stucks,
      partials_in_a_row: task.partials_in_a_row,
      unchanged_in_a_row: task.unchanged_in_a_row,
      failed_gate_attempts: task.failed_gate_attempts,
    },
    trail: [...(trails.get(id) ?? [])],
  };
}
