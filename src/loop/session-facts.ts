import { existsSync } from "node:fs";
import type { Project } from "../api/project.ts";
import type { AgentProgram } from "../config/config.ts";
import { DENIED_LIMIT, type ServerState } from "../events/types/agents.ts";
import { FILES_LIMIT, isFilePath } from "../events/types/fields.ts";
import type { Draft } from "../events/types/index.ts";
import { oneLine } from "../lib/visible.ts";
import type { Usage } from "./agent/facts.ts";
import type { Observed } from "./agent/observed.ts";
import type { ProcessEnd } from "./agent/process.ts";
import type { AgentRun } from "./claim.ts";
import type { RunFolder } from "./run-folder.ts";

/** An event without its actor and session. */
type Fact = Omit<Draft, "id" | "actor" | "causation" | "correlation">;

/** Appends a driver's observations of a session, all or none. Facts never conflict. */
export async function recordFacts(project: Project, session: string, facts: readonly Fact[]): Promise<void> {
  if (facts.length === 0) return;
  await project.log.append(facts.map((fact) => ({ ...fact, actor: project.actor, correlation: session })));
}

export function agentStarted(
  { session, agentName }: AgentRun,
  { init }: Observed,
  server: ServerState,
): Fact {
  return {
    type: "agent.started",
    payload: {
      session,
      agent: agentName,
      ...(init?.model && { model: short(init.model) }),
      ...(init?.version && { program_version: short(init.version) }),
      ...(init?.conversation && { conversation: short(init.conversation) }),
      server,
    },
  };
}

export function agentProgressed({ session }: AgentRun, { turns, usage }: Observed): Fact {
  return {
    type: "agent.progressed",
    payload: { session, turns, input_tokens: usage.input, output_tokens: usage.output },
  };
}

export function agentEnded(
  { session }: AgentRun,
  seen: Observed,
  end: ProcessEnd,
  costUsd: number | undefined,
): Fact {
  const { init, result, turns, problem, lastWords } = seen;
  const total = usageOf(seen);
  const denied = deniedIn(seen);
  return {
    type: "agent.ended",
    payload: {
      session,
      ...(end.code !== null && { exit_code: end.code }),
      ...(end.signal !== null && { signal: end.signal }),
      ...(result && { result: short(result.subtype), is_error: result.isError }),
      ...(denied.length > 0 && { denied }),
      ...(lastWords.trim() !== "" && { last_words: shortened(lastWords) }),
      ...(problem && {
        problem: {
          kind: problem.kind,
          text: shortened(problem.text),
          ...(problem.resetsAt && { resets_at: problem.resetsAt.toISOString() }),
        },
      }),
      ...(end.stderr !== "" && { stderr: wellFormed(end.stderr) }),
      // A program without stream-json reports no usage.
      ...((init || result) && {
        ...((result?.turns ?? turns) > 0 && { turns: result?.turns ?? turns }),
        input_tokens: total.input,
        output_tokens: total.output,
      }),
      ...(costUsd !== undefined && { cost_usd: costUsd }),
    },
  };
}

/** The denied tools with counts. */
export function deniedIn({ denied }: Pick<Observed, "denied">): { tool: string; times: number }[] {
  const times = new Map<string, number>();
  for (const tool of denied.values()) times.set(short(tool), (times.get(short(tool)) ?? 0) + 1);
  return [...times].slice(0, DENIED_LIMIT).map(([tool, times]) => ({ tool, times }));
}

/** The session's usage: the agent's final report, else the sum of its messages. */
export function usageOf({ result, usage }: Pick<Observed, "result" | "usage">): Usage {
  return result?.usage ?? usage;
}

export function workspaceReported(
  { session, task }: { readonly session: string; readonly task: { readonly id: number } },
  files: readonly string[],
): Fact {
  const named = files.filter(isFilePath);
  const listed = named.slice(0, FILES_LIMIT);
  return {
    type: "workspace.reported",
    payload: { session, task: task.id, files: listed, more: files.length - listed.length },
  };
}

/** Whether the agent could reach our server: by its own report, or by its client's connection. */
export function serverOf(
  program: AgentProgram,
  { init }: Observed,
  { connectedFile }: RunFolder,
): ServerState {
  if (init && init.server !== "unknown") return init.server;
  if (existsSync(connectedFile)) return "connected";
  const told = program.kind !== "command" || program.command.includes("{mcp_config}");
  return told ? "missing" : "unknown";
}

/** A long text keeps its end, where an agent sums up. */
function shortened(text: string): string {
  return wellFormed(text.length > WORDS_LIMIT ? `…${text.slice(-WORDS_LIMIT)}` : text);
}

const WORDS_LIMIT = 2_000;

function short(text: string): string {
  return wellFormed(oneLine(text).slice(0, 500));
}

/** Half of a surrogate pair, which UTF-8 cannot encode, becomes U+FFFD. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
