import { AGENT } from "../../events/actors.ts";
import type { TaskStatus } from "../../events/types/fields.ts";
import { someOf } from "../../lib/some-of.ts";
import { gatesInTheWay } from "../../projections/board/settlement.ts";
import { isStalled } from "../../projections/board/stalls.ts";
import type { Blocker, Gate, Question, Task } from "../../projections/board/tables.ts";
import { whyFinal } from "../../projections/board/taking-back.ts";
import { Refusal } from "../refusal.ts";
import type { State } from "../state.ts";

/**
 * An agent's intention for a task: a status to set, or a draft that becomes pending by enriching
 * it.
 */
type Fate = TaskStatus | "deleted" | "enriched";

/**
 * The only place that protects human decisions when an agent moves or deletes a task (docs/rules.md,
 * What an agent may do to a status). An open question to a human stays open; a human's decision
 * stays, and can be undone as long as the rules allow it.
 *
 * @throws Refusal `not_possible`, naming everything that is left to a human
 */
export function checkLeftToHuman(state: State, task: Task, fate: Fate): void {
  const left = leftToHuman(state, task, fate);
  if (left.length === 0) return;
  const [verb, command] = inWords(fate, task.id);
  throw new Refusal(
    "not_possible",
    `Task ${task.id} cannot be ${verb} by an agent: ${someOf(left)}, and only a human decides on that ` +
      `(\`signalbox inbox\`, or \`signalbox ${command}\`).`,
  );
}

function inWords(fate: Fate, id: number): readonly [verb: string, command: string] {
  if (fate === "deleted") return ["deleted", `task delete ${id}`];
  if (fate === "enriched") return ["enriched", `task enrich ${id}`];
  return [`set ${fate}`, `task set ${id} --status ${fate}`];
}

function leftToHuman(state: State, task: Task, fate: Fate): string[] {
  if (fate === "enriched") return openItems(state, task);
  const goesOnWaiting = fate === "needs_input" || fate === "blocked";
  return [
    ...(goesOnWaiting ? [] : openItems(state, task)),
    ...(goesOnWaiting ? [] : actsOfHumans(state, task, fate)),
    ...gates(state, task, fate),
    ...(fate === "done" || fate === "skipped" ? blockersThatWouldResolve(state, task) : []),
    ...acceptance(task, fate),
    ...(isStalled(task) ? ["its sessions did not get on"] : []),
    ...(task.held_at > 0 ? ["it is held since its sessions were cancelled"] : []),
    ...decisionsOnTheTask(state, task),
    ...(fate === "deleted" ? commentsOfHumans(state, task) : []),
  ];
}

/** Any status without waiting would dismiss them, skip them, or make their answer useless. */
function openItems({ questions, blockers }: State, { id }: Task): string[] {
  const open = { task_id: id, state: "open" } as const;
  return [
    ...questions.where(open).map((question) => `question ${question.id} is open`),
    ...blockers.where(open).map((blocker) => `blocker ${blocker.id} is open`),
  ];
}

/**
 * Items that would reopen on undo would be dismissed silently; the decision on a gate is final once
 * its task is done; and a deleted task loses its decisions.
 */
function actsOfHumans({ questions, blockers, gates, flags }: State, task: Task, fate: Fate): string[] {
  const of = { task_id: task.id };
  const counts = ({ acted_at: at, state_without_act: before }: Question | Blocker) =>
    at !== null && (fate === "deleted" || (before === "open" && !whyFinal(task, at)));
  const decided = ({ approval_position: at, ...gate }: Gate) =>
    at !== null && (fate === "deleted" || (fate === "done" && !whyFinal(task, at, gate)));
  return [
    ...questions.where(of, counts).map(({ id, state }) => `question ${id} was ${state}`),
    ...blockers.where(of, counts).map(({ id, state }) => `blocker ${id} was ${state}`),
    ...gates.where(of, decided).map(({ gate, approval }) => `gate ${gate} was ${approval}`),
    ...(fate === "deleted" ? flags.where(of, ({ acted_at: at }) => at !== null) : []).map(
      ({ id }) => `flag ${id} was acknowledged`,
    ),
  ].map((act) => `${act} by a human`);
}

/** A draft counts as pending: it becomes pending once it is enriched. */
function gates(state: State, { id }: Task, fate: Fate): string[] {
  const needsAll = ["done", "pending", "skipped", "draft", "deleted"].includes(fate);
  return gatesInTheWay(state, id)
    .filter(({ state: is }) => needsAll || is === "escalated" || is === "aborted")
    .map(({ gate, command, state: is }) => `gate ${gate} (${command}) is ${is}`);
}

/**
 * Linked blockers of other tasks; also those that would reopen if a human's act on them were
 * undone.
 */
function blockersThatWouldResolve({ blockers, tasks }: State, { id }: Task): string[] {
  const isHeld = ({ state, state_without_act: before, acted_at: at, task_id }: Blocker) => {
    const task = tasks.get(task_id);
    return state === "open" || (before === "open" && at !== null && task && !whyFinal(task, at));
  };
  return blockers
    .where({ depends_on: id }, (blocker) => isHeld(blocker) === true)
    .map((blocker) => `that would resolve blocker ${blocker.id} of task ${blocker.task_id}`);
}

function acceptance({ accept, awaiting_acceptance: awaits }: Task, fate: Fate): string[] {
  return awaits || (fate === "done" && accept === "human") ? ["a human must accept its work"] : [];
}

/** The status that a human's decision gave the task, until a session or a human changes it. */
function decisionsOnTheTask({ suggestions, statusChanges }: State, task: Task): string[] {
  const proposal = task.suggestion === null ? undefined : suggestions.get(task.suggestion);
  const decidedAt = proposal?.acted_at ?? null;
  const last = statusChanges.where({ task_id: task.id }).at(-1);
  return [
    ...(decidedAt === null || whyFinal(task, decidedAt) ? [] : [`a human has ${proposal?.state} it`]),
    ...(last?.rule === "humans: accept" && last.to_status === "done"
      ? ["a human has accepted its work"]
      : []),
    ...(last?.rule === "humans: send back" ? ["a human has sent its work back"] : []),
    ...(last?.rule === "gates: skip" ? ["a human skipped the gate that was in its way"] : []),
  ];
}

function commentsOfHumans({ comments }: State, { id }: Task): string[] {
  return comments
    .where({ task_id: id }, ({ actor }) => actor !== AGENT)
    .map((comment) => `a human wrote comment ${comment.id}`);
}
