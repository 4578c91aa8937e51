import { resultFromElsewhere } from "../../../src/events/types/command-result.ts";
import type { Draft, EventType, PayloadOf } from "../../../src/events/types/index.ts";
import type { FindingKind } from "../../../src/events/types/session-work.ts";
import type { SessionExit } from "../../../src/events/types/sessions.ts";

/**
 * Events in few words, for histories that read like sentences. What a signal's origin does not say is task 1 and session
 * `s-1`. An event's position is its place in the history: the ids of questions, blockers and suggestions.
 */
export function event<Type extends EventType>(type: Type, payload: PayloadOf<Type>, actor = "human"): Draft {
  // One of the union's members, which a generic type cannot show to the compiler.
  return { type, payload, actor } as Draft;
}

interface Origin {
  readonly task?: number;
  readonly session?: string;
}
const origin = { task: 1, session: "s-1" };

const TITLES = ["", "Export", "Login", "Audit", "Print"];

export function created(task: number, fields: Partial<PayloadOf<"task.created">> = {}): Draft {
  return event("task.created", {
    task,
    title: TITLES[task] ?? `Work ${task}`,
    description: "",
    feature: "reports",
    discipline: "backend",
    priority: "medium",
    status: "pending",
    depends_on: [],
    accept: "auto",
    gates: [],
    ...fields,
  });
}

export const changed = (task: number, fields: Omit<PayloadOf<"task.changed">, "task">) =>
  event("task.changed", { task, ...fields });
export const enriched = (task: number, fields: Partial<PayloadOf<"task.enriched">> = {}) =>
  event("task.enriched", { task, pseudocode: "for each order: write a line", ...fields });
export const deleted = (task: number) => event("task.deleted", { task });
/** The same by an agent. */
export const byAgent = (draft: Draft): Draft => ({ ...draft, actor: "agent" });
export const set = (task: number, status: PayloadOf<"task.status_set">["status"]) =>
  event("task.status_set", { task, status });
export const accepted = (task = 1) => event("task.accepted", { task });
export const sentBack = (comment: string, task = 1) => event("task.sent_back", { task, comment });
export const feature = (name: string) =>
  event("feature.created", { feature: name, display_name: name, description: "" });
export const stuckLimit = (value: number) => event("policy.set", { policy: "stuck_limit", value });

export const started = (
  session = "s-1",
  task = 1,
  fields: Partial<PayloadOf<"session.started">> = {},
): Draft => event("session.started", { session, task, forced: false, ...fields }, "driver");
export const reported = (
  state: PayloadOf<"session.state_reported">["state"],
  fields: Partial<PayloadOf<"session.state_reported">> = {},
): Draft => event("session.state_reported", { session: "s-1", state, ...fields }, "agent");
export const ended = (
  exit: SessionExit = "exited",
  session = "s-1",
  fields: Omit<PayloadOf<"session.ended">, "exit" | "session"> = {},
): Draft => event("session.ended", { session, exit, ...fields }, "driver");

/** What a driver found in the workspace, before the session's end. */
export const worked = (kinds: readonly FindingKind[], from: Origin = {}, tree_after?: string): Draft =>
  event(
    "session.work",
    {
      ...{ ...origin, ...from, start: "a".repeat(40), tree_before: "b".repeat(40) },
      ...(tree_after !== undefined && { tree_after }),
      ...{ commits: 0, files: [], more: 0, added: 0, removed: 0 },
      findings: kinds.map((kind) => ({ kind, paths: [], more: 0, refs: [], says: SAYS })),
    },
    "driver",
  );
export const SAYS = "It was found.";

/** The first session, from its start to its end. */
export const inSession = (...events: readonly Draft[]): Draft[] => [started(), ...events, ended()];

export const done = (from: Origin = {}) =>
  event("signal.done", { summary: "All of it.", ...origin, ...from }, "agent");
export const partial = (remaining = "The rest.", from: Origin = {}) =>
  event("signal.partial", { summary: "Half.", remaining, ...origin, ...from }, "agent");
export const stuck = (reason = "No GPU.", from: Origin = {}) =>
  event("signal.stuck", { reason, ...origin, ...from }, "agent");
export const ask = (fields: Partial<PayloadOf<"signal.ask">> = {}) =>
  event("signal.ask", { question: "Which encoding?", blocking: true, ...origin, ...fields }, "agent");
export const aside = (from: Origin = {}) => ask({ blocking: false, ...from });
export const flag = (fields: Partial<PayloadOf<"signal.flag">> = {}) =>
  event(
    "signal.flag",
    { what: "Slow", severity: "blocking", category: "bug", ...origin, ...fields },
    "agent",
  );
export const suggest = (what: string, fields: Partial<PayloadOf<"signal.suggest">> = {}) =>
  event("signal.suggest", { what, kind: "new_task", why: "Needed.", ...origin, ...fields }, "agent");
/** By another task, which `on` names; `missing` is the external kind. */
export const blocked = (on: string, fields: Partial<PayloadOf<"signal.blocked">> = {}) =>
  event("signal.blocked", { on, kind: "upstream_task", ...origin, ...fields }, "agent");
export const missing = (on: string, fields: Partial<PayloadOf<"signal.blocked">> = {}) =>
  blocked(on, { kind: "external", ...fields });

export const answered = (question: number, answer = "UTF-8.") =>
  event("question.answered", { task: 1, question, answer });
export const dismissed = (question: number) => event("question.dismissed", { task: 1, question });
export const reopened = (question: number) => event("question.reopened", { task: 1, question });
export const blockerResolved = (blocker: number) => event("blocker.resolved", { task: 1, blocker });
export const blockerDismissed = (blocker: number) => event("blocker.dismissed", { task: 1, blocker });
export const blockerReopened = (blocker: number) => event("blocker.reopened", { task: 1, blocker });
export const approved = (suggestion: number, task = 2) => event("suggestion.approved", { task, suggestion });
export const rejected = (suggestion: number, task = 2) => event("suggestion.rejected", { task, suggestion });
export const suggestionReopened = (suggestion: number, task = 2) =>
  event("suggestion.reopened", { task, suggestion });

/** Fields of a task with these gates. */
export const gated = (...commands: readonly { command?: string; max?: number }[]) => ({
  gates: commands.map((gate) => ({ command: "npm test", max: 5, timeout_s: 300, ...gate })),
});
/** A gate's command was run, and ended with this exit code. */
interface AttemptFields extends Partial<Omit<PayloadOf<"gate.attempted">, "stdout" | "stderr">> {
  readonly stdout?: string;
  readonly stderr?: string;
}
export const attempted = (exit_code: number, { stdout, stderr, ...fields }: AttemptFields = {}) =>
  event(
    "gate.attempted",
    {
      task: 1,
      gate: 1,
      ...resultFromElsewhere({ exit_code, duration_ms: 5, stdout, stderr }),
      ...fields,
    },
    "driver",
  );
export const gateDeclared = (gate: number, actor = "human", task = 1) =>
  event("gate.declared", { task, gate, command: "lint", max: 5, timeout_s: 300 }, actor);
export const gateDecided = (as: "approved" | "rejected" | "reopened", gate = 1, task = 1) =>
  event(`gate.${as}`, { task, gate });
export const gateActed = (action: PayloadOf<"gate.acted">["action"], gate = 1, task = 1) =>
  event("gate.acted", { task, gate, action });

/** A plan and its session, which has no task, with drafts of these tasks. */
export function planned(plan: number, tasks: readonly number[], again?: number): Draft[] {
  const session = `p-${plan}`;
  return [
    event("session.started", { session, recipe: "braindump", forced: false }, "driver"),
    event("plan.begun", { plan, session, text: "# Reports", ...(again !== undefined && { again }) }),
    ...tasks.map((task) => byAgent(created(task, { plan }))),
    event("session.ended", { session, exit: "exited" }, "driver"),
  ];
}
export const planDecided = (act: "approved" | "rejected" | "reopened", tasks: number[], plan = 1) =>
  event(`plan.${act}`, { plan, tasks });
