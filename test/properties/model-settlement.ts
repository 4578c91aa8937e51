import type { FindingKind } from "../../src/events/types/session-work.ts";
import type { SessionExit } from "../../src/events/types/sessions.ts";
import {
  blockersOf,
  type ModelBoard,
  type ModelSession,
  type ModelTask,
  newTask,
  questionsOf,
  stateOf,
  taskOf,
} from "./model-board.ts";
import { areBorneOut } from "./model-gates.ts";
import { link } from "./model-links.ts";
import { finish, setStatus, settledStatus } from "./model-status.ts";

/** Settlement, when a session ends: rules.md, steps 1 to 11. */
export function settle(
  board: ModelBoard,
  session: ModelSession,
  { exit, workspace }: { exit: SessionExit; workspace?: string | undefined },
): void {
  const task = taskOf(board, session.task);
  session.exit = exit;
  task.openSession = undefined;

  // Step 3: no closing verb is an inferred stuck, but for a cancelled session.
  if (session.closing === undefined && exit !== "cancelled") {
    session.closing = "stuck";
    session.inferred = true;
    task.inferredStucks += 1;
  }
  if (session.closing === "done") judgeEvidence(board, task, session);
  // OPEN: "in a row" passes over sessions that were cancelled without a closing verb.
  else if (session.closing !== undefined && exit !== "cancelled") task.refusals.clear();
  // Step 4, and Evidence.
  task.unverified = session.closing === "done" && (!areBorneOut(task) || task.refused);
  const settlesAs = task.unverified || session.closing === undefined ? "partial" : session.closing;

  session.outcome = outcomeOf(session, task.unverified, exit);
  session.states.push(session.outcome === "success" || session.outcome === "partial" ? "done" : "failed");
  // Stagnation.
  task.partialsInARow = session.outcome === "partial" ? task.partialsInARow + 1 : 0;
  if (session.workspace !== undefined && workspace !== undefined) {
    task.unchangedInARow = session.workspace === workspace ? task.unchangedInARow + 1 : 0;
  }

  const done = settlesAs === "done";
  // Steps 7 and 8: what the session asked. Step 10: its blockers are linked, in log order.
  for (const question of board.questions.values()) {
    if (question.session !== session.id || question.natural !== "raised") continue;
    question.natural = question.blocking && !done ? "open" : "informational";
  }
  for (const blocker of board.blockers.values()) {
    if (blocker.session !== session.id || blocker.natural !== "raised") continue;
    blocker.natural = done ? "informational" : "open";
    // OPEN: step 10 does not say that only an open blocker is linked; an informational one is not linked here.
    if (stateOf(blocker) === "open") link(board, blocker);
  }
  if (!done) keepRows(board, task, session, workspace);
  if (settlesAs === "stuck") task.stuckCount += 1; // Step 6.
  if (done)
    finish(board, task); // Step 5.
  else setStatus(board, task, settledStatus(board, task)); // Step 7.
  propose(board, session); // Steps 9 and 11.
}

/** Evidence: what follows from each finding of a session that closed with done. */
function judgeEvidence({ consequences }: ModelBoard, task: ModelTask, { found }: ModelSession): void {
  const hasPassed = task.gates.some(({ state }) => state === "passed");
  const refusals = new Map<FindingKind, number>();
  for (const kind of new Set(found)) {
    let consequence = consequences.get(kind);
    if (kind === "no_change" && consequence === "ask" && hasPassed) consequence = "note";
    const before = task.refusals.get(kind) ?? 0;
    if (consequence === "refuse" && before < 2) {
      refusals.set(kind, before + 1);
      task.refused = true;
    } else if (consequence !== "note") task.asked = true;
  }
  task.refusals = refusals;
}

/** Stagnation, "No progress". */
function keepRows(
  board: ModelBoard,
  task: ModelTask,
  session: ModelSession,
  workspace: string | undefined,
): void {
  // OPEN: cancelled is one whose outcome is: one that said partial and was cancelled then counts as partial.
  if (session.outcome === "cancelled" || (session.closing === "done" && task.refused)) return;
  const opened = [...questionsOf(board, task.id), ...blockersOf(board, task.id)].some(
    (thing) => thing.session === session.id && (stateOf(thing) === "open" || thing.natural === "open"),
  );
  const differs =
    session.workspace !== undefined && workspace !== undefined && session.workspace !== workspace;
  if (session.closing === "done" || session.learnedNew || opened || differs) task.notOnInARow = 0;
  else if (session.workspace !== undefined && workspace !== undefined) task.notOnInARow += 1;
  task.closedPartialInARow = session.closing === "partial" ? task.closedPartialInARow + 1 : 0;
  task.stalled = task.notOnInARow >= board.noProgress || task.closedPartialInARow >= board.partials;
}

/** Sessions, "How a session ends". */
function outcomeOf(
  { closing, inferred }: ModelSession,
  unverified: boolean,
  exit: SessionExit,
): ModelSession["outcome"] {
  if (!inferred && closing === "done" && !unverified) return "success";
  if (closing === "done" || closing === "partial") return "partial";
  return exit === "cancelled" ? "cancelled" : exit === "timed_out" ? "timeout" : "failure";
}

/** Step 9: every new_task of the session becomes a draft. */
function propose(board: ModelBoard, session: ModelSession): void {
  const suggesting = taskOf(board, session.task);
  for (const suggestion of board.suggestions.values()) {
    if (suggestion.session !== session.id || suggestion.late || suggestion.kind !== "new_task") continue;
    const named = suggestion.feature;
    const feature = named !== undefined && board.features.has(named) ? named : suggesting.feature;
    // OPEN: blanks around the title are kept as they are.
    const line = suggestion.what.split(/\r?\n/).find((one) => one.trim() !== "") ?? "";
    // OPEN: of a line that is longer than a title may be, the beginning is the title.
    const title = line.length > 500 ? `${line.slice(0, 499)}…` : line;
    board.lastTaskId += 1;
    board.tasks.set(board.lastTaskId, newTask("agent", { id: board.lastTaskId, title, feature }));
    suggestion.state = "proposed";
    suggestion.proposedTask = board.lastTaskId;
  }
}
