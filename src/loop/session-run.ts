import { join } from "node:path";
import type { Sandbox } from "../adapters.ts";
import type { Project } from "../api/project.ts";
import type { AgentProgram } from "../config/config.ts";
import { worktreesOf } from "../config/schema.ts";
import { withoutLogPassword, withoutLogUrl } from "../events/log-location.ts";
import { passes } from "../events/types/command-result.ts";
import type { TaskStatus } from "../events/types/fields.ts";
import { howItEnded } from "../events/types/gate-runs.ts";
import type { CancelCause } from "../events/types/sessions.ts";
import type { ClosingVerb } from "../events/types/signals.ts";
import { findingInWords } from "../events/types/work-words.ts";
import { confinedFolder } from "../gates/runner/confined-folder.ts";
import { workOf } from "../gates/verifying/session-work.ts";
import { filesFingerprint } from "../lib/files-fingerprint.ts";
import { ralphFolderOf } from "../lib/project-folder.ts";
import type { Launch } from "../mcp/launch.ts";
import type { Launched } from "../mcp/launching/launch-files.ts";
import { relayedProcess } from "../mcp/launching/mcp-config.ts";
import { withoutServerVariables } from "../mcp/session-variables.ts";
import { bearsOut, lastResult, passedSince } from "../projections/board/settlement.ts";
import type { Gate } from "../projections/board/tables.ts";
import type { SessionOutcome } from "../queries/find-sessions.ts";
import type { SessionWork } from "../queries/session-work.ts";
import { keepEnd, keepStart } from "../workspace/session-commits.ts";
import { commandLine } from "./agent/clients.ts";
import type { Problem } from "./agent/facts.ts";
import { NOTHING_OBSERVED, type Observed } from "./agent/observed.ts";
import { type AgentProcess, startAgent } from "./agent/process.ts";
import { causeOf, type Stop, type Verdict, verdictOn } from "./agent/verdict.ts";
import { takeBaseline } from "./baseline.ts";
import { changedFiles } from "./changed-files.ts";
import type { AgentRun, Claim } from "./claim.ts";
import { costOf } from "./cost.ts";
import { endUnlessEnded } from "./end-session.ts";
import { beginningFor } from "./evidence.ts";
import { type Followed, followAgent } from "./follow-agent.ts";
import { commitWork } from "./merge/commit-work.ts";
import { buildPrompt } from "./prompt/build.ts";
import type { Prompt } from "./prompt/part.ts";
import { PromptError } from "./prompt/prompt-error.ts";
import { recordPrompt } from "./prompt/record.ts";
import { proveGates } from "./prove.ts";
import { keptReports, type SessionSocket } from "./relays.ts";
import { prepareRunFolder, type RunFolder } from "./run-folder.ts";
import { TOOLS_URL } from "./sandbox-ports.ts";
import {
  agentEnded,
  agentStarted,
  deniedIn,
  recordFacts,
  serverOf,
  usageOf,
  workspaceReported,
} from "./session-facts.ts";
import type { Surroundings } from "./surroundings.ts";
import { lookVerified } from "./verify-again.ts";

/** The result of a session for the loop. */
export interface SessionRun {
  readonly verdict: Verdict;
  readonly agentName: string;
  readonly program: AgentProgram;
  /** Why its model gave no final answer. */
  readonly problem: Problem | undefined;
  /** The tools denied by its client. */
  readonly denied: ReadonlyMap<string, string>;
  readonly closing: ClosingVerb | null;
  readonly outcome: SessionOutcome["outcome"];
  /** From its claim to its settlement, in milliseconds. */
  readonly tookMs: number;
  /** The task's status after it. */
  readonly status: TaskStatus | undefined;
  /** The usage that counts against the loop's budget; undefined if unknown. */
  readonly used: { readonly costUsd: number | undefined; readonly tokens: number | undefined };
}

/**
 * Runs one session from its claim to its settlement: launches the agent with its prompt, follows
 * its output and reports, and ends the session with its real exit.
 *
 * @throws LogError, or a system error: the session is left open, for the caller or the next driver
 * to end
 */
export async function runSession(
  claim: Claim,
  prompt: Prompt,
  surroundings: Surroundings,
): Promise<SessionRun> {
  const { environment } = surroundings.project.store;
  const { baseline } = surroundings.config.gates;
  const began = environment.now();
  try {
    const stopped = baseline ? await takeBaseline(claim, surroundings) : undefined;
    const ready = baseline && !stopped ? await afterBaseline(claim, prompt, surroundings) : { claim, prompt };
    const settled = stopped
      ? await endBeforeAgent(claim, stopped, surroundings)
      : await settle(ready.claim, await runAgent(ready.claim, ready.prompt, surroundings), surroundings);
    return { ...settled, tookMs: (environment.now() - began) / 1_000 };
  } finally {
    claim.workspace.close();
  }
}

type Settled = Omit<SessionRun, "tookMs">;

/**
 * A baseline's result belongs into the prompt, and its changes in the workspace are not the
 * agent's.
 */
async function afterBaseline(
  claim: Claim,
  prompt: Prompt,
  { project }: Surroundings,
): Promise<{ claim: Claim; prompt: Prompt }> {
  const start = claim.start && (await claim.workspace.look());
  return { claim: { ...claim, start }, prompt: promptAfter() };

  function promptAfter(): Prompt {
    const { recipe, budget: tokens } = prompt;
    try {
      return buildPrompt(project.store.readModel, {
        task: claim.task.id,
        recipe,
        tokens,
        session: claim.session,
      });
    } catch (error) {
      // The session has begun, with a prompt that lacks only the baseline.
      if (error instanceof PromptError) return prompt;
      throw error;
    }
  }
}

/** The loop stops, or the session was ended, before its agent started. */
async function endBeforeAgent(
  claim: Claim,
  stopped: Stop | "taken",
  surroundings: Surroundings,
): Promise<Settled> {
  const { session } = claim;
  const verdict: Verdict =
    stopped === "taken"
      ? { exit: "cancelled", reason: undefined, cause: undefined }
      : { exit: "cancelled", reason: stopped.reason, cause: causeOf(stopped) };
  const ended = stopped !== "taken" && (await endUnlessEnded(surroundings.project, { session, ...verdict }));
  const nothing = { costUsd: undefined, seen: NOTHING_OBSERVED };
  const settled = await surroundings.project.queries.session(session);
  const status = await tellEnd(claim, ended ? verdict : undefined, { ...nothing, settled }, surroundings);
  const used = { costUsd: 0, tokens: 0 };
  return sessionRun(claim, settled, { verdict, seen: NOTHING_OBSERVED, used, status });
}

/** Launches the agent, and follows it to its end; a server of ours ends with it. */
export async function runAgent(
  claim: AgentRun,
  prompt: Prompt,
  surroundings: Surroundings,
): Promise<Followed & { readonly folder: RunFolder }> {
  const { project, readModelPath, relays, sandboxes } = surroundings;
  const socket = relays?.newSocket();
  const { folder, launched } = prepareRunFolder(readModelPath, claim, {
    prompt: prompt.text,
    own: sandboxes ? { type: "http", url: TOOLS_URL } : socket && relayedProcess(socket.path),
  });
  const report = keptReports(folder.serverFile);
  let sandbox: Sandbox | undefined;
  try {
    const served = serverLaunch(claim, folder, launched, readModelPath);
    const isSandboxed = sandboxes !== undefined;
    await socket?.listen({ ...served, isSandboxed }, { store: project.store, report });
    if (sandboxes && socket?.folder !== undefined)
      sandbox = await sandboxes.open(claim, { folder: socket.folder, names: launched.env, report });
    const worktree = claim.task !== null && worktreesOf(surroundings.config) !== undefined;
    const began = await beginningFor(claim, surroundings);
    const kept = { runFolder: folder.path, folder: claim.workspace.folder };
    await keepStart(kept, { worktree, tree: claim.start?.tree, began });
    await recordPrompt(project.store, prompt, { session: claim.session, actor: project.actor });
    const agent = launch(claim, prompt, { folder, launched, socket, sandbox }, surroundings);
    return { ...(await followAgent(agent, claim, folder, surroundings)), folder };
  } finally {
    try {
      await sandbox?.close();
    } finally {
      await socket?.close();
    }
  }
}

/** What the environment tells a server that the client starts. */
function serverLaunch(
  { launch: { context }, workspace }: AgentRun,
  { connectedFile }: RunFolder,
  { contextFile: contextPath }: Launched,
  databasePath: string,
): Launch {
  const folder = confinedFolder(join(ralphFolderOf(databasePath), ".."), workspace.folder);
  return { context, contextPath, databasePath, workspace: folder, connectedFile, runsGates: true };
}

/** Starts the agent. */
function launch(
  claim: AgentRun,
  prompt: Prompt,
  files: {
    readonly folder: RunFolder;
    readonly launched: Launched;
    readonly socket: SessionSocket | undefined;
    readonly sandbox: Sandbox | undefined;
  },
  { tell }: Surroundings,
): AgentProcess {
  const { session, task, workspace } = claim;
  const { folder, launched, socket, sandbox } = files;
  tell({
    step: "session_started",
    session,
    task: task?.id ?? null,
    title: task?.title ?? claim.launch.context.recipe,
    agent: claim.agentName,
    model: claim.model ?? null,
    prompt_tokens: prompt.tokens,
    folder: workspace.folder,
  });
  if (claim.conflicted && task) tell({ step: "conflicted", session, task: task.id, ...claim.conflicted });
  const surrounding = socket
    ? withoutServerVariables(withoutLogPassword(process.env))
    : withoutLogUrl(process.env);
  // These identify its process as its session's, and tell a server that it starts itself where to
  // report.
  const environment = sandbox?.environment ?? { ...surrounding, ...launched.env };
  const readable = (path: string) => socket?.share(path) ?? path;
  const command = commandLine(claim.program, {
    task: task?.id ?? null,
    session,
    folder: sandbox?.home ?? folder.path,
    promptFile: readable(folder.promptFile),
    mcpConfig: readable(launched.mcpConfig),
    servers: launched.servers,
    conversation: claim.conversation,
    model: claim.model,
    budgetUsd: claim.budgetUsd,
    environment,
  });
  const { promptFile: inputFile, pidFile } = folder;
  const start = sandbox?.start(command) ?? { command, environment };
  return startAgent(start.command, {
    folder: workspace.folder,
    environment: start.environment,
    inputFile,
    pidFile,
  });
}

/** Steps 4 to 6: records the observations, judges them, and ends the session accordingly. */
async function settle(
  claim: Claim,
  { folder, end, seen, stopped }: Followed & { readonly folder: RunFolder },
  surroundings: Surroundings,
): Promise<Settled> {
  const { project } = surroundings;
  const { session, workspace } = claim;
  const after = await lookVerified(claim, surroundings);
  const files = after && (await changedFiles(claim, after, seen));
  const costUsd = await costOf(project, surroundings.config, claim, seen);
  const server = serverOf(claim.program, seen, folder);
  await recordFacts(project, session, [
    ...(seen.init ? [] : [agentStarted(claim, seen, server)]),
    ...(files ? [workspaceReported(claim, files)] : []),
    agentEnded(claim, seen, end, costUsd),
  ]);
  const row = await project.queries.sessionRow(session);
  const verdict = verdictOn({
    end,
    stopped: stopped === "taken" ? undefined : stopped,
    init: seen.init,
    result: seen.result,
    server,
    problem: seen.problem,
    denied: seen.denied,
    closing: row?.last_closing ?? null,
  });
  const { exit, reason, cause } = verdict;
  await commitAtEnd(claim, surroundings);
  await proveGates(claim, surroundings);
  await keepEnd({ runFolder: folder.path, folder: workspace.folder });
  const how = { seen: after, committed: true };
  const place = { ...surroundings.project.store, readModelPath: surroundings.readModelPath };
  const work = await workOf({ session, task: claim.task.id }, workspace, place, how);
  const ending = { session, exit, reason, cause, workspace: after?.fingerprint };
  // In a folder that others share nobody knows whose files these are.
  const left = after && !claim.shared ? filesFingerprint(after.tree) : undefined;
  const ended = await endUnlessEnded(project, ending, { work, files: left });
  const settled = await project.queries.session(session);
  const status = await tellEnd(claim, ended ? verdict : undefined, { costUsd, seen, settled }, surroundings);
  const used = usedBy(claim, seen, { costUsd, verdict });
  return sessionRun(claim, settled, { verdict, seen, used, status });
}

function sessionRun(
  { agentName, program }: Claim,
  settled: SessionOutcome | undefined,
  { seen, ...run }: Pick<SessionRun, "verdict" | "used" | "status"> & { readonly seen: Observed },
): Settled {
  const { closing = null, outcome = null, inferred = 0 } = settled ?? {};
  const { problem, denied } = seen;
  const said = inferred ? null : closing;
  return { ...run, agentName, program, problem, denied, closing: said, outcome };
}

/**
 * After the end's fingerprint was taken: commits the remaining files of the task's own worktree to
 * its branch.
 */
async function commitAtEnd(
  { session, task }: Claim,
  { project, readModelPath, config, tell }: Surroundings,
): Promise<void> {
  const worktrees = worktreesOf(config);
  if (!worktrees) return;
  const { author } = worktrees;
  await commitWork(project, { task: task.id, session }, { readModelPath, author, tell });
}

/** An agent that ended before reporting its cost has used its whole share, at worst. */
function usedBy(
  { budgetUsd }: Claim,
  seen: Observed,
  { costUsd, verdict }: { readonly costUsd: number | undefined; readonly verdict: Verdict },
): SessionRun["used"] {
  const { input, output } = usageOf(seen);
  const told = seen.result?.usage !== undefined || seen.turns > 0;
  const isFree = verdict.cause !== undefined && USED_NOTHING.has(verdict.cause);
  const worst = isFree ? 0 : seen.result ? undefined : budgetUsd;
  return { costUsd: costUsd ?? worst, tokens: told || isFree ? input + output : undefined };
}

/** Its model gave no answer, or was never asked. */
const USED_NOTHING: ReadonlySet<CancelCause> = new Set(["tools", "setup", "limit", "outage", "model"]);

/** @param verdict undefined if someone else had ended the session @returns the task's status now */
async function tellEnd(
  { session, task }: Claim,
  verdict: Verdict | undefined,
  {
    costUsd,
    seen,
    settled,
  }: {
    readonly costUsd: number | undefined;
    readonly seen: Observed;
    readonly settled: SessionOutcome | undefined;
  },
  { project, tell }: Surroundings,
): Promise<TaskStatus | undefined> {
  const status = (await project.queries.taskRow(task.id))?.status;
  if (!verdict) {
    tell({ step: "session_taken", session, task: task.id });
    return status;
  }
  const { findings = [] } = (await project.queries.sessionWork(session)) ?? {};
  tell({
    step: "session_ended",
    session,
    task: task.id,
    exit: verdict.exit,
    reason: verdict.reason ?? null,
    closing: settled?.closing ?? null,
    outcome: settled?.outcome ?? null,
    unverified: await whyUnverified(project, task.id, findings),
    findings: findings.map(findingInWords),
    status: status ?? null,
    cost_usd: costUsd ?? null,
    denied: deniedIn(seen),
    last_words: settled?.closing === null || settled?.inferred ? seen.lastWords : "",
  });
  return status;
}

/**
 * Why the done of a task's last session does not stand: what was found for which it is refused, and each gate that prevents it:
 * `gate 1 failed: npm test …`.
 */
async function whyUnverified(
  { queries }: Project,
  task: number,
  findings: SessionWork["findings"],
): Promise<string[]> {
  const { gates = [], unverified_done, last_start = 0 } = (await queries.task(task)) ?? {};
  if (!unverified_done) return [];
  const refused = findings.filter(({ led_to }) => led_to === "refuse").map(findingInWords);
  return [...refused, ...gates.filter((gate) => !bearsOut(gate)).map((gate) => whyNot(gate, last_start))];
}

type ShownGate = Omit<Gate, "task_id">;

/** @param start of the session */
function whyNot(gate: ShownGate, start: number): string {
  const { command, approval } = gate;
  const last = lastResult(gate);
  if (approval === "waiting") return `gate ${gate.gate} is waiting for your approval: ${command}`;
  if (passedSince(gate, start))
    return `gate ${gate.gate} passed on other files than the session left: ${command}`;
  if (!last || passes(last)) return `gate ${gate.gate} was not run: ${command}`;
  const said = lastLine(gate.last_stderr) || lastLine(gate.last_stdout);
  return `gate ${gate.gate} failed: ${command} ${howItEnded(last)}${said === "" ? "" : `: ${said}`}`;
}

function lastLine(output: string | null): string {
  return (output ?? "").trimEnd().split("\n").at(-1)?.trim() ?? "";
}
