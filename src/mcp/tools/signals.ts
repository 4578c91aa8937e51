import { z } from "zod";
import { type Reporter, recordSignal } from "../../decisions/reports.ts";
import { requireTask, stateOf } from "../../decisions/state.ts";
import type { Store } from "../../decisions/store.ts";
import { position, type TaskStatus } from "../../events/types/fields.ts";
import { closingVerbs, signals, type Verb } from "../../events/types/signals.ts";
import { policyValue } from "../../projections/board/policies.ts";
import { gatesInTheWay, statusAfterPartialOrStuck } from "../../projections/board/settlement.ts";
import { ReadModelError } from "../../projections/read-model-error.ts";
import { catchUp } from "../../projections/worker.ts";
import { defineTool, REPORTING, type Tool, ToolRefusal } from "../tool.ts";

const CLOSING: ReadonlySet<Verb> = new Set(closingVerbs);

const output = z.strictObject({
  /** Where the signal stands in the log. */
  position,
  recorded: z.string(),
  /** What may come next. */
  next: z.string(),
});

/** The eight verbs as tools: each definition in src/events/types/signals.ts gives one. */
export const signalTools: readonly Tool[] = signals.map(
  ({ verb, title, description, arguments: input, example: { task: _, session: __, ...example } }) =>
    defineTool({
      name: verb,
      title,
      description,
      input,
      output,
      annotations: REPORTING,
      command: `signal ${verb}`,
      example,
      terse: true,
      async run(args, { store, sessions, eventId }) {
        const reporter = sessions.current();
        if (CLOSING.has(verb)) await lookAhead(store);
        await checkReporter(store, reporter);
        const { events } = await recordSignal(store, reporter, { verb, args, id: eventId });
        return {
          position: events[0]?.position ?? 0,
          recorded: `${verb} on task ${reporter.task} in session ${reporter.session}`,
          next: whatNext(store, reporter, verb, args),
        };
      },
    }),
);

/**
 * What a closing verb is answered with follows from everything before it, so this looks before the verb is recorded.
 * Where the read model is held up, the log goes on; behind what a newer program wrote, nothing is recorded.
 */
async function lookAhead({ readModel, log }: Store): Promise<void> {
  try {
    await catchUp(readModel, log);
  } catch (error) {
    if (!(error instanceof ReadModelError) || error.code === "newer_version") throw error;
  }
}

/**
 * A launch may name a task that is not there, or a session of another one; then nothing can be recorded.
 *
 * @throws ReadModelError `newer_version`
 */
async function checkReporter(store: Store, { task, session }: Reporter): Promise<void> {
  store.readModel.stale();
  const find = () => {
    const state = stateOf(store.readModel);
    return { known: state.tasks.get(task) !== undefined, ofSession: state.sessions.get(session)?.task_id };
  };
  let found = find();
  if (!found.known || (found.ofSession ?? task) !== task) {
    await catchUp(store.readModel, store.log);
    found = find();
  }
  if (!found.known) {
    throw new ToolRefusal(
      `Nothing was recorded: there is no task ${task}. Whoever launched this server must set RALPH_TASK_ID to a task of the project.`,
    );
  }
  if ((found.ofSession ?? task) !== task) {
    throw new ToolRefusal(
      `Nothing was recorded: session ${session} is of task ${found.ofSession}, not of task ${task}. ` +
        "Whoever launched this server must set RALPH_TASK_ID and RALPH_SESSION_ID of one session.",
    );
  }
}

function whatNext(store: Store, reporter: Reporter, verb: Verb, args: Record<string, unknown>): string {
  if (stateOf(store.readModel).sessions.get(reporter.session)?.completed_at) {
    return "The session has ended: this is kept and shown, but settles nothing. Stop here.";
  }
  switch (verb) {
    case "done":
      return whatDoneMeans(store, reporter);
    case "partial":
    case "stuck":
      return whatStoppingMeans(store, reporter, verb);
    case "ask":
      return args.blocking === true
        ? "If you cannot go on, call partial now: the task then waits for a human's answer."
        : "Go on with your best judgment.";
    case "blocked":
      return "If you cannot work around it, call partial or stuck: the task then waits. done makes the blocker informational.";
    default:
      return "Go on; close the session with done, partial or stuck.";
  }
}

/** What becomes of the task when the session ends as things stand (rules.md, Settlement, steps 6 and 7). */
function whatStoppingMeans(store: Store, { task: id }: Reporter, verb: "partial" | "stuck"): string {
  const state = stateOf(store.readModel);
  const task = requireTask(state, id);
  const count = task.stuck_count + (verb === "stuck" ? 1 : 0);
  const { status } = statusAfterPartialOrStuck(state, { ...task, stuck_count: count }, true);
  const stuck =
    verb === "stuck" ? `, being stuck ${count} times of ${policyValue(state, "stuck_limit")}` : "";
  const becomes = status === "failed" ? `fails${stuck}` : BECOMES[status];
  const hint =
    verb === "stuck" ? " If you made progress, call partial instead; the last closing verb counts." : "";
  return `When the session ends the task ${becomes}. End your work here.${hint}`;
}

const BECOMES: Readonly<Partial<Record<TaskStatus, string>>> = {
  needs_input: "waits for a human's answer",
  blocked: "waits for its blocker",
  pending: "goes back to the queue",
};

/** A done is only as good as its gates (rules.md, Settlement, step 4). */
function whatDoneMeans(store: Store, { task: id }: Reporter): string {
  const state = stateOf(store.readModel);
  const open = gatesInTheWay(state, id);
  if (open.length > 0) {
    const gates = open.map(({ gate, command, state: is }) => `gate ${gate} (${command}) is ${is}`).join(", ");
    return `Not verified yet: ${gates}. Unless it passes before the session ends, done counts as partial.`;
  }
  if (state.tasks.get(id)?.accept === "human") {
    return "When the session ends a human is asked to accept the work; then the task is done. End your work here.";
  }
  return "When the session ends the task is done, unless partial or stuck follows. End your work here.";
}
