import { mapReferences } from "../projections/board/reference.ts";
import type { Outcome, Simulation, SimulationStep } from "./simulation.ts";

/**
 * The same simulation with other task numbers and session names, so that the whole corpus fits into
 * one project: adds `base` to every number, also where a blocker's text names a task, and prefixes
 * sessions with the simulation's id.
 */
export function renumber(simulation: Simulation, base: number): Simulation {
  const shift = (id: number) => id + base;
  const rename = (session: string) => `${simulation.id}.${session}`;
  return {
    ...simulation,
    project: {
      ...simulation.project,
      tasks: simulation.project.tasks.map((task) => ({
        ...task,
        id: shift(task.id),
        depends_on: task.depends_on.map(shift),
      })),
    },
    steps: simulation.steps.map((step) => renumberStep(step, shift, rename)),
    expected: renumberOutcome(simulation.expected, shift, rename),
  };
}

function renumberStep(
  step: SimulationStep,
  shift: (id: number) => number,
  rename: (session: string) => string,
): SimulationStep {
  const moved = {
    ...step,
    ...("task" in step && { task: shift(step.task) }),
    ...("session" in step && { session: rename(step.session) }),
  };
  if (moved.do !== "call") return moved;
  const { sessionId, on } = moved.arguments;
  return {
    ...moved,
    arguments: {
      ...moved.arguments,
      ...(typeof sessionId === "string" && { sessionId: rename(sessionId) }),
      ...(typeof on === "string" && { on: mapReferences(on, shift) }),
    },
  };
}

function renumberOutcome(
  outcome: Outcome,
  shift: (id: number) => number,
  rename: (session: string) => string,
): Outcome {
  const shiftKeys = <T>(record: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).map(([id, value]) => [String(shift(Number(id))), value]));
  const shiftTask = <T extends { task: number }>(one: T): T => ({ ...one, task: shift(one.task) });
  return {
    ...outcome,
    tasks: Object.fromEntries(
      Object.entries(shiftKeys(outcome.tasks)).map(([id, task]) => [
        id,
        { ...task, depends_on: task.depends_on.map(shift) },
      ]),
    ),
    sessions: Object.fromEntries(
      Object.entries(outcome.sessions).map(([id, session]) => [rename(id), shiftTask(session)]),
    ),
    asks: outcome.asks.map(shiftTask),
    blockers: outcome.blockers.map((blocker) => ({
      ...shiftTask(blocker),
      depends_on: blocker.depends_on === null ? null : shift(blocker.depends_on),
    })),
    suggestions: outcome.suggestions.map((suggestion) => ({
      ...suggestion,
      task: suggestion.task === null ? null : shift(suggestion.task),
    })),
    learnings: outcome.learnings.map(shiftTask),
    comments: shiftKeys(outcome.comments),
    ready: outcome.ready.map(shift),
  };
}
