import type { Decision, PlannedEvent } from "../decisions/decide.ts";
import { givenFields } from "../decisions/given-fields.ts";
import { Refusal } from "../decisions/refusal.ts";
import { gatesDeclaredAt } from "../decisions/rules/gate-declarations.ts";
import { requireFeature, type State } from "../decisions/state.ts";
import type { Host } from "../events/own-host.ts";
import { planName } from "../events/types/plans.ts";
import type { RecipeName } from "../events/types/recipe-names.ts";
import { undecidedOf } from "../projections/board/plans.ts";
import type { Plan, Suggestion, Task } from "../projections/board/tables.ts";
import { whyFinal } from "../projections/board/taking-back.ts";
import { checkWorkGoesOn } from "./sessions.ts";

/* Plans (docs/decisions/0077-plans.md): how a human begins one, and decides on what it proposes. */

export interface PlanStart {
  readonly session: string;
  readonly recipe: RecipeName;
  /** What the human wrote. */
  readonly text: string;
  readonly feature?: string | undefined;
  /** The plan whose undecided drafts it replaces. */
  readonly again?: number | undefined;
  readonly driver: string;
  /** The workspace's fingerprint. */
  readonly workspace?: string | undefined;
}

/** Starts a session without a task, and with it a plan. Its driver and its files are no part of the request. @throws Refusal `not_found`, `already_exists`, `paused`, `session_open` */
export function beginPlan(own: Host | undefined, start: PlanStart): Decision<"session.started"> {
  const { session, recipe, text, feature, again } = start;
  const input = givenFields({ session, recipe, text, feature, again });
  return { type: "session.started", input, plan: (state) => planned(state, own, start) };
}

function planned(
  state: State,
  own: Host | undefined,
  { session, recipe, text, feature, again, driver, workspace }: PlanStart,
): readonly PlannedEvent[] {
  if (feature !== undefined) requireFeature(state, feature);
  const before = again === undefined ? undefined : requirePlan(state, again);
  if (before?.state === "open")
    throw new Refusal(
      "session_open",
      `Session ${before.session_id} still works on ${planName(before.plan)}.`,
    );
  if (state.sessions.get(session)) throw new Refusal("already_exists", `Session ${session} already exists.`);
  checkWorkGoesOn(state);
  const plan = (state.plans.scan().at(-1)?.plan ?? 0) + 1;
  const started = givenFields({ session, recipe, forced: false, workspace, driver, host: own?.host });
  const begun = givenFields({ plan, session, text, feature, again });
  return [
    { type: "session.started", correlation: session, payload: started },
    { type: "plan.begun", correlation: session, payload: begun },
  ];
}

/** @throws Refusal `not_found` */
export function requirePlan(state: Pick<State, "plans">, plan: number): Plan {
  const found = state.plans.get(plan);
  if (found) return found;
  throw new Refusal(
    "not_found",
    `There is no ${planName(plan)}. Run \`signalbox inbox list --kind plan\` to see the plans that wait.`,
  );
}

/**
 * The plan whose session this is: what is created in it is a draft of the plan.
 *
 * @throws Refusal `session_ended`: nobody would look at what comes after it
 */
export function planOf(state: Pick<State, "plans">, session: string | undefined): Plan | undefined {
  const [plan] = session === undefined ? [] : state.plans.where({ session_id: session });
  if (!plan || plan.state === "open") return plan;
  throw new Refusal("session_ended", `The session of ${planName(plan.plan)} has ended. Stop here.`);
}

/**
 * A human's decision on a plan, or on some of its tasks.
 *
 * @param only the tasks; absent: all that nobody has decided on
 * @param named the tasks that are decided with these, if there are others
 * @throws Refusal `not_possible`: it still runs, a task is none of its drafts, or is to be approved before one that it depends on
 */
export function planDecided(
  state: State,
  { plan, state: is, session_id }: Plan,
  became: "approved" | "rejected",
  only?: readonly number[],
  named: readonly number[] = [],
): readonly PlannedEvent[] {
  const name = planName(plan);
  if (is === "open") throw new Refusal("not_possible", `Session ${session_id} still works on ${name}.`);
  const drafts = undecidedOf(state, plan).map(({ proposed_task }) => proposed_task);
  if (drafts.length === 0)
    throw new Refusal(
      "already_decided",
      `Every task of ${name} is decided. To undo that: \`signalbox inbox undo ${name}\`.`,
    );
  const wrong = only?.find((task) => !drafts.includes(task));
  if (wrong !== undefined)
    throw new Refusal(
      "not_possible",
      `Task ${wrong} is no draft of ${name}, whose drafts are ${drafts.join(", ")}.`,
      {
        field: "only",
      },
    );
  const tasks = [...new Set(only ?? drafts)].sort((a, b) => a - b);
  if (became === "approved") checkDependencies(state, tasks, named);
  return [{ type: `plan.${became}`, payload: { plan, tasks } }];
}

/** What a task depends on is approved before it, or with it, and not rejected. @param named what else is approved with them */
export function checkDependencies(
  state: State,
  tasks: readonly number[],
  named: readonly number[] = [],
): void {
  for (const task of tasks)
    for (const { depends_on } of state.dependencies.where({ task_id: task })) {
      const on = state.tasks.get(depends_on);
      const isRejected = on?.status === "skipped" && isProposal(state, on, "rejected");
      if (!isRejected && (on?.status !== "draft" || tasks.includes(depends_on) || named.includes(depends_on)))
        continue;
      throw new Refusal(
        "not_possible",
        isRejected
          ? `Task ${task} depends on task ${depends_on}, which was rejected. Take the dependency out (\`signalbox task set ${task} --depends-on …\`), or undo the rejection.`
          : `Task ${task} depends on task ${depends_on}, a draft that is not approved. Approve both, or take the dependency out.`,
      );
    }
}

function isProposal(state: State, { suggestion }: Task, is: Suggestion["state"]): boolean {
  return suggestion !== null && state.suggestions.get(suggestion)?.state === is;
}

/**
 * A draft of a plan is decided with its plan, also by its own id, which is that of its gates' declaration.
 *
 * @throws Refusal `not_possible`: it names the command
 */
export function refuseDraftOfPlan(state: State, id: number, act: "approve" | "reject" | "undo"): void {
  const [gate] = gatesDeclaredAt(state, id);
  const task = state.tasks.get(gate?.task_id ?? state.suggestions.get(id)?.proposed_task ?? 0);
  const draft = state.suggestions.get(task?.suggestion ?? 0);
  if (!task || draft == null || draft.plan === null) return;
  // Gates of a decided draft are decided by themselves, unless their plan's approval was it.
  if (gate && draft.state !== "proposed" && gate.approval_position !== draft.acted_at) return;
  const name = planName(draft.plan);
  throw new Refusal(
    "not_possible",
    `Task ${task.id} is of ${name}: \`signalbox inbox ${act} ${name}${act === "undo" ? "" : ` --only ${task.id}`}\`.`,
  );
}

/** Undoes the last act on a plan, for the tasks of it that no session has started since. @throws Refusal `nothing_to_do`, `too_late` */
export function planReopened(state: State, { plan }: Plan): readonly PlannedEvent[] {
  const acted = state.suggestions.where({ plan, state: ["approved", "rejected"] });
  const last = Math.max(...acted.map(({ acted_at }) => acted_at ?? 0), 0);
  if (last === 0) throw new Refusal("nothing_to_do", `Nobody has decided on ${planName(plan)}.`);
  const of = acted.flatMap(({ acted_at, proposed_task }) =>
    acted_at === last ? (state.tasks.get(proposed_task ?? 0) ?? []) : [],
  );
  const tasks = of.filter((task) => whyFinal(task, last) === undefined).map(({ id }) => id);
  if (tasks.length > 0)
    return [{ type: "plan.reopened", payload: { plan, tasks: tasks.sort((a, b) => a - b) } }];
  throw new Refusal(
    "too_late",
    `A session has started on every task of ${planName(plan)} that was decided last.`,
  );
}
