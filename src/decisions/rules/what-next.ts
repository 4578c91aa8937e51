import type { TaskStatus } from "../../events/types/fields.ts";
import type { Verb } from "../../events/types/signals.ts";
import { policyValue } from "../../projections/board/policies.ts";
import { gatesInTheWay, statusAfterPartialOrStuck } from "../../projections/board/settlement.ts";
import { requireTask, type State } from "../state.ts";
import type { Reporter } from "./reports.ts";

/**
 * The advice to an agent after a signal: the possible next steps, and the signal's current meaning.
 */
export function whatNext(
  state: State,
  reporter: Pick<Reporter, "task" | "session">,
  verb: Verb,
  args: Record<string, unknown>,
): string {
  if (state.sessions.get(reporter.session)?.completed_at) {
    return "The session has ended: this is recorded and shown, but does not settle the task. Stop here.";
  }
  const other = state.tasks.get(reporter.task)?.open_session;
  if (other && other !== reporter.session) {
    return (
      `Late: session ${other} of task ${reporter.task} is open. This is recorded and shown, but does ` +
      "not settle the task. Stop here."
    );
  }
  switch (verb) {
    case "done":
      return whatDoneMeans(state, reporter.task);
    case "partial":
    case "stuck":
      return whatStoppingMeans(state, reporter.task, verb);
    case "ask":
      return args.blocking === true
        ? "If you cannot go on, call partial now: the task then waits for a human's answer."
        : "Go on with your best judgment.";
    case "blocked":
      return (
        "If you cannot work around it, call partial or stuck: the task then waits. If you call done, " +
        "the blocker becomes informational."
      );
    default:
      return "Go on; close the session with done, partial or stuck.";
  }
}

/** The task's status if the session ended now (docs/rules.md, Settlement, steps 6 and 7). */
function whatStoppingMeans(state: State, id: number, verb: "partial" | "stuck"): string {
  const task = requireTask(state, id);
  const count = task.stuck_count + (verb === "stuck" ? 1 : 0);
  const { status: settled } = statusAfterPartialOrStuck(state, { ...task, stuck_count: count }, true);
  const isLast = verb === "partial" && task.partial_closings_in_a_row + 1 >= policyValue(state, "partials");
  const status = isLast && settled !== "failed" ? "needs_input" : settled;
  const stuck = verb === "stuck" ? `, with stuck count ${count} of ${policyValue(state, "stuck_limit")}` : "";
  const becomes = status === "failed" ? `fails${stuck}` : BECOMES[status];
  const hint =
    verb === "stuck" ? " If you made progress, call partial instead; the last closing verb counts." : "";
  return `When the session ends, the task ${becomes}. End your work here.${hint}`;
}

const BECOMES: Readonly<Partial<Record<TaskStatus, string>>> = {
  needs_input: "waits for a human's answer",
  blocked: "waits for its blocker",
  pending: "goes back to the queue",
};

/** A done counts only if its gates pass (docs/rules.md, Settlement, step 4). */
function whatDoneMeans(state: State, id: number): string {
  const open = gatesInTheWay(state, id);
  if (open.length > 0) {
    const gates = open.map(({ gate, command, state: is }) => `gate ${gate} (${command}) is ${is}`).join(", ");
    return `Not verified yet: ${gates}. If it has not passed when the session ends, done counts as partial.`;
  }
  if (state.tasks.get(id)?.accept === "human") {
    return (
      "When the session ends, a human is asked to accept the work; then the task is done. End your " +
      "work here."
    );
  }
  return "When the session ends, the task is done, unless partial or stuck follows. End your work here.";
}
