import { existsSync } from "node:fs";
import { join } from "node:path";
import { map, merge, type Observable, ReplaySubject } from "rxjs";
import type { Project } from "../../api/project.ts";
import { agentNamed, type Config } from "../../config/config.ts";
import type { Decided, Decision } from "../../decisions/decide.ts";
import { stateOf } from "../../decisions/state.ts";
import { planName } from "../../events/types/plans.ts";
import { workOf, workspaceOf } from "../../gates/verifying/session-work.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { planLaunch } from "../../mcp/launching/plan.ts";
import { beginPlan, type PlanStart, planOf } from "../../operations/plans.ts";
import { findPlan, type PlanView } from "../../queries/plans.ts";
import { catchUp } from "../../read-model/worker.ts";
import { keepEnd } from "../../workspace/session-commits.ts";
import { type Verdict, verdictOn } from "../agent/verdict.ts";
import type { AgentRun } from "../claim.ts";
import { costOf } from "../cost.ts";
import { findProgram } from "../doctor/program.ts";
import { watchHost } from "../drivers/host-watch.ts";
import { keepAlive } from "../drivers/registry.ts";
import { endUnlessEnded } from "../end-session.ts";
import type { Followed } from "../follow-agent.ts";
import { rootOf } from "../merge/commit-work.ts";
import type { RunFolder } from "../run-folder.ts";
import { agentEnded, agentStarted, deniedIn, recordFacts, serverOf } from "../session-facts.ts";
import { runAgent } from "../session-run.ts";
import type { Step } from "../steps.ts";
import type { Surroundings } from "../surroundings.ts";
import { openWays } from "../ways.ts";
import { criticize, type Place } from "./critic.ts";
import { planPrompt } from "./prompt.ts";
import { lookAtRepository, type RepositoryFacts } from "./repository.ts";

export interface Planning extends Omit<PlanStart, "driver" | "workspace"> {
  readonly readModelPath: string;
  readonly config: Config;
  /** Begins the plan as its human; the rest is recorded as the driver's. */
  begin(decision: Decision<"session.started">): Promise<Decided<"session.started">>;
  /** The run that watches the session. */
  readonly driver: string;
  /** Emits why it must end. */
  readonly cancel: Observable<string>;
  readonly tell: (step: Step) => void;
}

/** How a planning session ended. */
export interface Planned {
  readonly plan: PlanView;
  readonly verdict: Verdict;
}

/**
 * Runs one planning session, from the human's text to the plan that waits for approval (docs/decisions/0077-plans.md). Its agent may read the
 * repository, and proposes by its tools; without any task it has failed.
 *
 * @throws Refusal, ConfigError, McpConfigError, PromptError: nothing was begun
 */
export async function runPlanning(project: Project, planning: Planning): Promise<Planned> {
  const { readModelPath, config, driver, tell } = planning;
  const ways = await openWays(config, readModelPath);
  const cancelled = new ReplaySubject<string>(1);
  const heard = planning.cancel.subscribe(cancelled);
  const signOff = keepAlive(readModelPath, driver);
  const host = watchHost(project.store, config.fleet, { isIdle: () => false });
  const byHuman = cancelled.pipe(map((reason) => ({ why: "cancelled" as const, reason })));
  const cancel = host ? merge(byHuman, host.cuts) : byHuman;
  const surroundings = { project, readModelPath, config, cancel, tell, ...ways };
  try {
    await catchUp(project.store.readModel, project.log);
    return await planWith(await prepare(project, planning), planning, surroundings);
  } finally {
    host?.stop();
    signOff();
    heard.unsubscribe();
  }
}

/** All that can be wrong before anything is begun. */
interface Prepared {
  readonly run: Omit<AgentRun, "position">;
  readonly repository: RepositoryFacts;
}

async function prepare(
  project: Project,
  { readModelPath, config, session, recipe, feature }: Planning,
): Promise<Prepared> {
  const program = agentNamed(config, config.agent);
  const { readModel } = project.store;
  const root = rootOf(readModelPath);
  const wish = { session, recipe, task: null, discipline: null, feature: feature ?? null, closes: false };
  const launch = readModel.snapshot(() => planLaunch(readModel, wish));
  const repository = await lookAtRepository(root);
  const workspace = workspaceOf(readModelPath, session, root);
  return {
    repository,
    run: {
      ...{ session, task: null, agentName: config.agent, launch, workspace, start: await workspace.look() },
      conversation: project.store.environment.newId(),
      program: "permissions" in program ? { ...program, permissions: "read" } : program,
      ...{ model: program.model, shared: false, conflicted: undefined, budgetUsd: config.budget.usd },
    },
  };
}

/** From the plan's beginning to its session's end. */
async function planWith(
  { run, repository }: Prepared,
  { begin, session, recipe, text, feature, again, driver }: Planning,
  surroundings: Surroundings,
): Promise<Planned> {
  const { project, config } = surroundings;
  const { readModel } = project.store;
  try {
    const workspace = run.start?.fingerprint;
    const start = { session, recipe, text, feature, again, driver, workspace };
    const begun = await begin(beginPlan(project.store.ownHost?.(), start));
    try {
      const plan = readModel.snapshot(() => planOf(stateOf(readModel), session));
      if (!plan) throw new Error("The decision began no plan.");
      const claim = { ...run, position: begun[0].position };
      const size = { session, tokens: config.prompt.tokens };
      const prompt = readModel.snapshot(() => planPrompt(readModel, { plan, ...size }, repository));
      const { folder, ...followed } = await runAgent(claim, prompt, surroundings);
      const verdict = await settlePlan(claim, plan.plan, { folder, followed, repository }, surroundings);
      const found = await project.ask((tables) => findPlan(tables, plan.plan));
      if (!found) throw new Error(`There is no ${planName(plan.plan)}.`);
      return { plan: found, verdict };
    } catch (error) {
      const reason = errorMessage(error);
      await endUnlessEnded(project, { session, exit: "cancelled", reason, cause: "driver" }).catch(() => {});
      throw error;
    }
  } finally {
    run.workspace.close();
  }
}

/** Records what was seen, looks at what was proposed, and ends the session. */
async function settlePlan(
  claim: AgentRun,
  plan: number,
  {
    folder,
    followed,
    repository,
  }: { readonly folder: RunFolder; readonly followed: Followed; readonly repository: RepositoryFacts },
  { project, readModelPath, config, tell }: Surroundings,
): Promise<Verdict> {
  const { session, workspace } = claim;
  const { end, seen, stopped } = followed;
  const after = claim.start && (await workspace.look());
  const costUsd = await costOf(project, config, claim, seen);
  const server = serverOf(claim.program, seen, folder);
  await recordFacts(project, session, [
    ...(seen.init ? [] : [agentStarted(claim, seen, server)]),
    agentEnded(claim, seen, end, costUsd),
  ]);
  const proposed = await project.ask((tables) => findPlan(tables, plan));
  const of = {
    init: seen.init,
    result: seen.result,
    server,
    problem: seen.problem,
    denied: seen.denied,
    // What a planner was denied, after it has proposed, is no obstacle.
    closing: proposed && proposed.tasks + proposed.confirmed.length > 0 ? ("done" as const) : null,
  };
  const judged = verdictOn({ end, stopped: stopped === "taken" ? undefined : stopped, ...of });
  const verdict = proposed ? withoutTasks(judged, proposed) : judged;
  if (proposed && proposed.tasks > 0) {
    const payload = { plan, ...criticize(proposed, placeIn(rootOf(readModelPath), repository)) };
    await recordFacts(project, session, [{ type: "plan.checked", payload }]);
  }
  await keepEnd({ runFolder: folder.path, folder: workspace.folder });
  const place = { ...project.store, readModelPath };
  const found = await workOf({ session, task: null }, workspace, place, { seen: after, committed: true });
  // That a planner changes nothing is as it should be.
  const work = found && { ...found, findings: found.findings.filter(({ kind }) => kind !== "no_change") };
  const { exit, reason, cause } = verdict;
  const ended = await endUnlessEnded(
    project,
    { session, exit, reason, cause, workspace: after?.fingerprint },
    { work },
  );
  const { outcome = null } = (await project.queries.session(session)) ?? {};
  if (!ended) tell({ step: "session_taken", session, task: null });
  else
    tell({
      ...{ step: "session_ended", session, task: null, exit, reason: reason ?? null, closing: null, outcome },
      ...{ unverified: [], findings: [], status: null, cost_usd: costUsd ?? null, denied: deniedIn(seen) },
      last_words: seen.lastWords,
    });
  return verdict;
}

/** An agent that proposes nothing has failed, whatever it says. */
function withoutTasks(verdict: Verdict, { tasks, confirmed }: PlanView): Verdict {
  if (verdict.exit !== "exited" || tasks + confirmed.length > 0) return verdict;
  return { exit: "crashed", reason: "it proposed no task", cause: undefined };
}

function placeIn(root: string, { files }: RepositoryFacts): Place {
  const tracked = new Set(files);
  return {
    hasFile: (path) => tracked.has(path) || existsSync(join(root, path)),
    hasProgram: (name) => findProgram(name, { cwd: root, env: process.env }) !== undefined,
  };
}
