import type { TaskStatus } from "../../events/types/fields.ts";
import { policies, type ValueOf } from "../../events/types/policies.ts";
import type { ClosingVerb, Verb } from "../../events/types/signals.ts";
import { foretell } from "../../projections/board/foretell.ts";
import { policyValue } from "../../projections/board/policies.ts";
import { gatesInTheWay } from "../../projections/board/settlement.ts";
import { standsAfter } from "../../projections/board/signals.ts";
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
    case "partial":
    case "stuck":
      return whatClosingMeans(state, reporter, verb);
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

/** The verb that counts, and the task's status if the session ended now (docs/rules.md, Settlement, steps 2 to 7). */
function whatClosingMeans(
  state: State,
  { task: id, session }: Pick<Reporter, "task" | "session">,
  verb: ClosingVerb,
): string {
  // The read model may lack a session that this verb starts.
  const running = { ...(state.sessions.get(session) ?? { ...UNKNOWN, id: session }), task_id: id };
  const { last_closing: before } = running;
  const closing = before === null || standsAfter(state, before, verb) ? verb : before;
  const rule = policyValue(state, "closing");
  const other = closing === verb ? "" : `${closing} stands: ${policies.closing.says(rule)}. `;
  const means =
    closing === "done"
      ? whatDoneMeans(state, id, rule)
      : whatStoppingMeans(state, { ...running, last_closing: closing });
  const hint =
    closing === "stuck" && rule === "last"
      ? " If you made progress, call partial instead; the last closing verb counts."
      : "";
  return `${other}${means}${hint}`;
}

const UNKNOWN = { learned: 0, last_closing: null, workspace_start: null } as const;

function whatStoppingMeans(state: State, session: Parameters<typeof foretell>[2]): string {
  const task = requireTask(state, session.task_id);
  const ended = (hasChanged: boolean) => foretell(state, task, session, { exit: "exited", hasChanged });
  const { status, stuck_count: count } = ended(true);
  const { status: unchanged } = ended(false);
  const stuck =
    count > task.stuck_count ? `, with stuck count ${count} of ${policyValue(state, "stuck_limit")}` : "";
  const becomes = status === "failed" ? `fails${stuck}` : BECOMES[status];
  const or = unchanged === status ? "" : `, or ${BECOMES[unchanged]} if its workspace has not changed`;
  return `When the session ends, the task ${becomes}${or}. End your work here.`;
}

const BECOMES: Readonly<Partial<Record<TaskStatus, string>>> = {
  needs_input: "waits for a human's answer",
  blocked: "waits for its blocker",
  pending: "goes back to the queue",
};

/** A done counts only if its gates pass (docs/rules.md, Settlement, step 4). */
function whatDoneMeans(state: State, id: number, rule: ValueOf<"closing">): string {
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
  const unless = rule === "first" ? "" : ", unless partial or stuck follows";
  return `When the session ends, the task is done${unless}. End your work here.`;
}
