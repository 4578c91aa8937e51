import { existsSync } from "node:fs";
import { join } from "node:path";
import { map, type Observable, ReplaySubject } from "rxjs";
import type { Project } from "../../api/project.ts";
import { agentNamed, type Config } from "../../config/config.ts";
import type { Decided, Decision } from "../../decisions/decide.ts";
import { stateOf } from "../../decisions/state.ts";
import { planName } from "../../events/types/plans.ts";
import { workOf, workspaceOf } from "../../gates/verifying/session-work.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { ralphFolderOf } from "../../lib/project-folder.ts";
import { planLaunch } from "../../mcp/launching/plan.ts";
import { beginPlan, type PlanStart, requirePlan } from "../../operations/plans.ts";
import { endSession } from "../../operations/sessions.ts";
import { findPlan, type PlanView } from "../../queries/plans.ts";
import { catchUp } from "../../read-model/worker.ts";
import { keepEnd } from "../../workspace/session-commits.ts";
import { type Verdict, verdictOn } from "../agent/verdict.ts";
import type { AgentRun } from "../claim.ts";
import { costOf } from "../cost.ts";
import { findProgram } from "../doctor/program.ts";
import { keepAlive } from "../drivers/registry.ts";
import { endUnlessEnded } from "../end-session.ts";
import type { Followed } from "../follow-agent.ts";
import type { RunFolder } from "../run-folder.ts";
import { agentEnded, agentStarted, deniedIn, recordFacts, serverOf } from "../session-facts.ts";
import { runAgent } from "../session-run.ts";
import type { Step } from "../steps.ts";
import type { Surroundings } from "../surroundings.ts";
import { openWays } from "../ways.ts";
import { criticize, type Place } from "./critic.ts";
import { planPrompt } from "./prompt.ts";
import { lookAtRepository, type RepositoryFacts } from "./repository.ts";

export interface Planning extends Omit<PlanStart, "session" | "driver" | "workspace"> {
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
 * @throws Refusal, McpConfigError, PromptError: no agent was started
 */
export async function runPlanning(project: Project, planning: Planning): Promise<Planned> {
  const { readModelPath, config, driver, tell } = planning;
  const ways = await openWays(config, readModelPath);
  const cancelled = new ReplaySubject<string>(1);
  const heard = planning.cancel.subscribe(cancelled);
  const signOff = keepAlive(readModelPath, driver);
  const cancel = cancelled.pipe(map((reason) => ({ why: "cancelled" as const, reason })));
  const surroundings = { project, readModelPath, config, cancel, tell, ...ways };
  try {
    await catchUp(project.store.readModel, project.log);
    const { claim, plan } = await claimPlan(project, planning);
    try {
      return await planIn(claim, plan, surroundings);
    } catch (error) {
      const reason = errorMessage(error);
      await project
        .decide(endSession({ session: claim.session, exit: "cancelled", reason, cause: "driver" }))
        .catch(() => {});
      throw error;
    } finally {
      claim.workspace.close();
    }
  } finally {
    signOff();
    heard.unsubscribe();
  }
}

/** Starts the session and its plan. */
async function claimPlan(
  project: Project,
  { readModelPath, config, driver, begin, recipe, text, feature, again }: Planning,
): Promise<{ claim: AgentRun; plan: number }> {
  const conversation = project.store.environment.newId();
  const session = `s-${conversation}`;
  const { readModel } = project.store;
  const launch = readModel.snapshot(() =>
    planLaunch(readModel, {
      session,
      recipe,
      task: null,
      discipline: null,
      feature: feature ?? null,
      closes: false,
    }),
  );
  const workspace = workspaceOf(readModelPath, session, rootOf(readModelPath));
  const start = await workspace.look();
  const begun = await begin(
    beginPlan(project.store.ownHost?.(), {
      session,
      recipe,
      text,
      feature,
      again,
      driver,
      workspace: start?.fingerprint,
    }),
  );
  const plan = begun.find(({ type }) => type === "plan.begun");
  if (plan?.type !== "plan.begun") throw new Error("The decision began no plan.");
  const program = agentNamed(config, config.agent);
  return {
    plan: plan.payload.plan,
    claim: {
      ...{
        session,
        task: null,
        position: begun[0].position,
        agentName: config.agent,
        launch,
        conversation,
        workspace,
        start,
      },
      program: "permissions" in program ? { ...program, permissions: "read" } : program,
      model: program.model,
      shared: false,
      conflicted: undefined,
      budgetUsd: config.budget.usd,
    },
  };
}

async function planIn(claim: AgentRun, plan: number, surroundings: Surroundings): Promise<Planned> {
  const { project, readModelPath, config } = surroundings;
  const { readModel } = project.store;
  const repository = await lookAtRepository(rootOf(readModelPath));
  const prompt = readModel.snapshot(() =>
    planPrompt(
      readModel,
      { plan: requirePlan(stateOf(readModel), plan), session: claim.session, tokens: config.prompt.tokens },
      repository,
    ),
  );
  const { folder, ...followed } = await runAgent(claim, prompt, surroundings);
  const verdict = await settlePlan(claim, plan, { folder, followed, repository }, surroundings);
  const found = await project.ask((tables) => findPlan(tables, plan));
  if (!found) throw new Error(`There is no ${planName(plan)}.`);
  return { plan: found, verdict };
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
    closing: proposed && proposed.tasks > 0 ? ("done" as const) : null,
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
function withoutTasks(verdict: Verdict, { tasks }: PlanView): Verdict {
  if (verdict.exit !== "exited" || tasks > 0) return verdict;
  return { exit: "crashed", reason: "it proposed no task", cause: undefined };
}

function placeIn(root: string, { files }: RepositoryFacts): Place {
  const tracked = new Set(files);
  return {
    hasFile: (path) => tracked.has(path) || existsSync(join(root, path)),
    hasProgram: (name) => findProgram(name, { cwd: root, env: process.env }) !== undefined,
  };
}

function rootOf(readModelPath: string): string {
  return join(ralphFolderOf(readModelPath), "..");
}
