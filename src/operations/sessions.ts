import { z } from "zod";
import type { Decision, PlannedEvent } from "../decisions/decide.ts";
import { givenFields } from "../decisions/given-fields.ts";
import { Refusal } from "../decisions/refusal.ts";
import { checkNoSession } from "../decisions/rules/tasks.ts";
import { requireSession, requireTask, type State } from "../decisions/state.ts";
import { AGENT } from "../events/actors.ts";
import type { Host } from "../events/own-host.ts";
import { FILES_LIMIT, sessionId, taskId } from "../events/types/fields.ts";
import type { PayloadOf } from "../events/types/index.ts";
import { sessionEnded, sessionStarted } from "../events/types/sessions.ts";
import type { Environment } from "../lib/environment.ts";
import { idFromKey } from "../lib/ids.ts";
import { quoteLine } from "../lib/terminal/output.ts";
import { isReady } from "../projections/board/status.ts";
import type { Session, Task } from "../projections/board/tables.ts";
import { parseColumn } from "../projections/parse-column.ts";
import { sessionOutcome } from "../queries/find-sessions.ts";
import { overlapsOf } from "../queries/overlaps.ts";
import { sameFilesAs } from "../queries/same-files.ts";
import { findTask } from "../queries/tasks.ts";
import type { ReadModel } from "../read-model/read-model.ts";
import { defineGroup } from "./group.ts";
import { defineOperation } from "./operation.ts";
import { listSessions, showSession } from "./sessions-reading.ts";

const startInput = sessionStarted.payload
  .omit({ forced: true, host: true, recipe: true })
  .extend({ task: taskId, force: z.boolean().optional() });
type StartInput = z.input<typeof startInput>;

const SESSION = ["<session>", "the session's id"] as const;

/** @throws Refusal `not_found`, `session_open`, `not_ready` and `paused` (unless forced), `already_exists`: the session's id */
export const startSession = defineOperation({
  type: "session.started",
  input: startInput,
  plan: (input, state) => planStart(input, state),
  answer: ({ event, input: { task } }) => ({ session: event.payload.session, task }),
});

/**
 * The same, begun on a host. That is no part of the request: sent again under its key from elsewhere, or by a newer program, it is
 * the same one.
 */
export function startSessionOn(own: Host | undefined, input: StartInput): Decision<"session.started"> {
  return { ...startSession(input), plan: (state) => planStart(input, state, own?.host) };
}

/**
 * The same, but not beside a session whose task makes the same files, unless by force (`not_ready`): for what starts an agent. A
 * program that starts a session by its own command decides on that itself.
 */
export function startSessionApart(own: Host | undefined, input: StartInput): Decision<"session.started"> {
  const decision = startSessionOn(own, input);
  const plan = (state: State) => {
    const planned = decision.plan(state);
    if (!input.force) checkApart(state, requireTask(state, input.task));
    return planned;
  };
  return { ...decision, plan };
}

function checkApart(state: State, task: Task): void {
  const { id } = task;
  const same = sameFilesAs(state, task);
  if (!same) return;
  throw new Refusal(
    "not_ready",
    `Task ${id} makes the same files as task ${same.task} (${quoteLine(same.path, 300)}), whose session ${same.session} is open. It can be started when that has ended, or by force.`,
  );
}

function planStart(
  { task: id, session, workspace, driver, force = false }: StartInput,
  state: State,
  host?: string,
): readonly PlannedEvent<"session.started">[] {
  checkNoSession(state, id);
  if (state.sessions.get(session)) {
    throw new Refusal("already_exists", `Session ${session} already exists; use a new id for a new run.`);
  }
  const task = requireTask(state, id);
  if (!force) checkWorkGoesOn(state);
  const forced = !isReady(task);
  if (forced && !force) {
    throw new Refusal(
      "not_ready",
      `Task ${id} ${whyNotReady(task)}. Only a ready task can be started, unless by force.`,
    );
  }
  const payload = givenFields({ session, task: id, forced, workspace, driver, host });
  return [{ type: "session.started", correlation: session, payload }];
}

/** @throws Refusal `paused` */
export function checkWorkGoesOn(state: Pick<State, "pause">): void {
  const pause = state.pause.get(1);
  if (!pause) return;
  const why = pause.reason === null ? "" : ` (${pause.reason})`;
  throw new Refusal(
    "paused",
    `Work is paused since ${pause.since} by ${pause.actor}${why}: no session starts until \`signalbox work resume\`, unless by force.`,
  );
}

/**
 * An id for a new session. It derives from a key, if given, so that a repeated command means the
 * same session.
 */
export function newSessionId(environment: Environment, key: string | undefined, prefix = "s"): string {
  return `${prefix}-${key ? idFromKey("session", key) : environment.newId()}`;
}

function whyNotReady({ id, status, open_dependencies, depends_on, unapproved_gates, ...task }: Task): string {
  if (status !== "pending") return `is ${status}`;
  if (open_dependencies > 0) {
    return `waits for ${open_dependencies} of its dependencies (${parseColumn(depends_on).join(", ")})`;
  }
  if (task.held_at > 0) {
    return `is held, since ${task.cancelled_in_a_row} sessions in a row were cancelled (\`signalbox task set ${id} --status pending\` lets it start again)`;
  }
  const gates = unapproved_gates === 1 ? "a gate" : `${unapproved_gates} gates`;
  return `has ${gates} that an agent declared and no human decided on (\`signalbox gate approve ${id}\`, or reject)`;
}

/**
 * @throws Refusal `not_found`, `session_ended`; `not_possible`: the caller is an agent, and a
 * driver watches the session
 */
export const endSession = defineOperation({
  type: "session.ended",
  input: sessionEnded.payload.omit({ task: true, learned_nothing_new: true }),
  permit({ session }, state, actor) {
    const { driver = null, exit = null } = state.sessions.get(session) ?? {};
    if (actor !== AGENT || driver === null || exit !== null) return;
    throw new Refusal(
      "not_possible",
      `Nothing was recorded: the driver ${driver} watches session ${session} and ends it when its ` +
        "agent exits. Close it with done, partial or stuck, and end your work.",
    );
  },
  plan({ session: id, exit, workspace, files, reason, cause }, state) {
    const session = requireSession(state, id);
    if (session.completed_at !== null)
      throw new Refusal("session_ended", `Session ${id} has already ended (${session.exit}).`);
    const learned_nothing_new = learnedNothingNew(state, session) ? (true as const) : undefined;
    const payload = givenFields({
      ...{ session: id, task: session.task_id ?? undefined, exit, workspace, files, reason, cause },
      learned_nothing_new,
    });
    return [{ type: "session.ended", correlation: id, payload }];
  },
  answer: ({ input: { session }, readModel }) => settledSession(readModel, session),
});

/**
 * The same, by a driver that has looked what the session did: both are appended, or neither. What it found is no part of the request:
 * sent again under its key, it is the same one.
 */
export function endSessionWith(
  {
    work,
    files,
  }: { readonly work?: PayloadOf<"session.work"> | undefined; readonly files?: string | undefined },
  input: Parameters<typeof endSession>[0],
): Decision<"session.ended" | "session.work"> {
  const decision = endSession({ ...input, ...givenFields({ files }) });
  const found: PlannedEvent[] = work
    ? [{ type: "session.work", correlation: input.session, payload: work }]
    : [];
  const plan = (state: State) => [...found, ...decision.plan(state)];
  return { ...endSession(input), or: ["session.work"], plan };
}

/** True for a session that reported learnings, each of which somebody had reported before. */
function learnedNothingNew(state: State, { id, learned }: Session): boolean {
  if (learned === 0) return false;
  return state.learningSources.where({ session_id: id }).every((said) => said.id !== said.learning_id);
}

/** An ended session, and its task's new status. */
export function settledSession(readModel: ReadModel, session: string) {
  const found = sessionOutcome(readModel, session);
  if (!found?.outcome) throw new Error(`The read model does not show that session ${session} has ended.`);
  const { task, closing, inferred, outcome, ...more } = found;
  const status = task === null ? undefined : findTask(readModel, task)?.status;
  return { session, task, closing, inferred, outcome, ...more, status };
}

/** Records all files that a session has changed so far. @throws Refusal `not_found` */
export const observeFiles = defineOperation({
  type: "workspace.reported",
  input: z.strictObject({ session: sessionId, files: z.array(z.string()) }),
  plan({ session, files }, state) {
    const { task_id: task } = requireSession(state, session);
    if (task === null)
      throw new Refusal("not_possible", `Session ${session} has no task: its files are no task's work.`);
    const listed = [...new Set(files)].sort();
    const more = Math.max(0, listed.length - FILES_LIMIT);
    const payload = { session, task, files: listed.slice(0, FILES_LIMIT), more };
    return [{ type: "workspace.reported", correlation: session, payload }];
  },
  answer: ({ input: { session }, readModel }) => ({ session, overlaps: overlapsOf(readModel, session) }),
  command: {
    name: "files",
    does: "record all files that the session has changed so far",
    actor: "driver",
    takes: { session: SESSION, files: ["[paths...]", "relative to the workspace"] },
    example: "s-1 $(git diff --name-only HEAD)",
    says: ({ overlaps }) =>
      overlaps.length === 0
        ? "No other session that runs changes one of these."
        : overlaps.map((overlap) => quoteLine(JSON.stringify(overlap), 300)),
  },
});

export const sessions = defineGroup({
  name: "session",
  does: "sessions: runs of an agent on a task",
  has: [startSession, endSession, listSessions, showSession],
});
