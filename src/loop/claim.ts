import type { Project } from "../api/project.ts";
import { type AgentProgram, agentNamed, type Config } from "../config/config.ts";
import { Refusal, type RefusalCode } from "../decisions/refusal.ts";
import { workspaceOf } from "../gates/verifying/session-work.ts";
import { errorMessage } from "../lib/error-message.ts";
import { NoClosingVerbError } from "../mcp/launching/closing.ts";
import { McpConfigError } from "../mcp/launching/mcp-config.ts";
import { type LaunchPlan, planLaunch } from "../mcp/launching/plan.ts";
import { endSession, startSessionApart } from "../operations/sessions.ts";
import type { TaskView } from "../queries/tasks.ts";
import { GitError } from "../workspace/git.ts";
import type { StoppedMerge } from "../workspace/merge-into.ts";
import type { Look, Workspace } from "../workspace/workspace.ts";
import { endOrphan } from "./drivers/recovery.ts";
import { recordConflict, workplaceOf } from "./merge/workplace.ts";
import { buildPrompt } from "./prompt/build.ts";
import type { Prompt } from "./prompt/part.ts";
import { PromptError } from "./prompt/prompt-error.ts";
import type { Step } from "./steps.ts";

export interface Claiming {
  readonly readModelPath: string;
  readonly config: Config;
  readonly driver: string;
  readonly budgetUsd: number | undefined;
  /** Aborts the setup of its worktree. */
  readonly signal: AbortSignal;
  readonly tell: (step: Step) => void;
}

/** A claimed session, with everything needed to run its agent. */
export interface Claim extends AgentRun {
  readonly task: TaskView;
}

/** A session whose agent is to run; it may have no task. */
export interface AgentRun {
  readonly session: string;
  readonly task: Pick<TaskView, "id" | "title"> | null;
  /** The position at which the session started: the claim's epoch. */
  readonly position: number;
  readonly agentName: string;
  readonly program: AgentProgram;
  readonly model: string | undefined;
  /** The context for its client and its server. */
  readonly launch: LaunchPlan;
  /** The agent's own id of its conversation. */
  readonly conversation: string;
  readonly workspace: Workspace;
  /** True if other sessions may work in the same folder: not every change there is this agent's. */
  readonly shared: boolean;
  /** The merge in its worktree that stopped at conflicts, for its agent to resolve. */
  readonly conflicted: StoppedMerge | undefined;
  /** The workspace at the start, if known. */
  readonly start: Look | undefined;
  /** The rest of the loop's budget. */
  readonly budgetUsd: number | undefined;
}

export interface Claimed {
  readonly claim: Claim;
  readonly prompt: Prompt;
}

/**
 * Claims a task: prepares its workspace, and starts a session by a decision at the head of the log,
 * so that only one driver gets it. Undefined if another driver was faster.
 *
 * @throws McpConfigError, NoClosingVerbError, SetupError: no session was started
 * @throws PromptError: the session was ended again, as cancelled
 */
export async function claimTask(
  project: Project,
  task: TaskView,
  claiming: Claiming,
): Promise<Claimed | undefined> {
  const { readModelPath, config, budgetUsd } = claiming;
  const conversation = project.store.environment.newId();
  const session = `s-${conversation}`;
  const { readModel } = project.store;
  const launch = readModel.snapshot(() =>
    planLaunch(readModel, {
      session,
      recipe: config.recipe,
      task: task.id,
      discipline: task.discipline,
      feature: task.feature,
      closes: true,
    }),
  );
  // Its last session may have been ended manually just now: two agents must not work on one task.
  const before = await project.queries.sessions({ task: task.id });
  const last = before.find(({ started_position }) => started_position === task.last_start);
  if (last) await endOrphan(readModelPath, last.id);
  const { folder, stopped } = await workplaceOf(project, task, claiming);
  const workspace = workspaceOf(readModelPath, session, folder);
  const start = await workspace.look();
  let position: number;
  try {
    const [started] = await project.decide(
      startSessionApart(project.store.ownHost?.(), {
        ...{ task: task.id, session, driver: claiming.driver },
        workspace: start?.fingerprint,
      }),
    );
    position = started.position;
  } catch (error) {
    workspace.close();
    if (error instanceof Refusal && TAKEN.has(error.code)) return undefined;
    throw error;
  }
  try {
    if (stopped) await recordConflict(project, { task: task.id, session }, stopped);
    const prompt = buildPrompt(readModel, {
      task: task.id,
      tokens: config.prompt.tokens,
      recipe: config.recipe,
      session,
    });
    const { agentName, model } = agentFor(task, config);
    const program = agentNamed(config, agentName);
    const claim = {
      session,
      task,
      position,
      agentName,
      program,
      model: model ?? program.model,
      launch,
      conversation,
      workspace,
      shared: config.jobs > 1 && config.worktrees === false,
      conflicted: stopped,
      start,
      budgetUsd,
    };
    return { claim, prompt };
  } catch (error) {
    const reason = errorMessage(error);
    await project.decide(endSession({ session, exit: "cancelled", reason, cause: "driver" }));
    workspace.close();
    throw error;
  }
}

/** After enough stuck sessions, a task gets another agent or model, if one is configured. */
function agentFor({ stuck_count }: TaskView, { agent, escalation }: Config) {
  const escalates = stuck_count >= escalation.after_stuck;
  return {
    agentName: (escalates ? escalation.agent : undefined) ?? agent,
    model: escalates ? escalation.model : undefined,
  };
}

/** Another driver was faster, or a human paused the work meanwhile. */
const TAKEN: ReadonlySet<string> = new Set<RefusalCode>(["not_ready", "session_open", "paused"]);

/** A task whose workspace, prompt, servers or tools fail does not stop the others. */
export function isOfOneTask(error: unknown): error is Error {
  return [GitError, PromptError, McpConfigError, NoClosingVerbError].some((known) => error instanceof known);
}
