import { SERVER_NAME } from "../../events/server-name.ts";
import type { ServerState } from "../../events/types/agents.ts";
import type { CancelCause, SessionExit } from "../../events/types/sessions.ts";
import type { ClosingVerb } from "../../events/types/signals.ts";
import type { AgentFact, Problem } from "./facts.ts";
import { COULD_NOT_START, NOT_EXECUTABLE, type ProcessEnd } from "./process.ts";

/** All facts about a finished run of an agent. */
export interface Seen {
  readonly end: ProcessEnd;
  /** Why the driver ended it, if it did. */
  readonly stopped: Stop | undefined;
  /** Whether it reported its tools and servers; a program without stream-json never does. */
  readonly init: Extract<AgentFact, { kind: "init" }> | undefined;
  readonly result: Extract<AgentFact, { kind: "result" }> | undefined;
  /** Why its model gave no final answer. */
  readonly problem: Problem | undefined;
  /** Whether it could reach our server. */
  readonly server: ServerState;
  /** The denied tools. */
  readonly denied: ReadonlyMap<string, string>;
  readonly closing: ClosingVerb | null;
}

export interface Stop {
  readonly why: "cancelled" | "fenced" | "session_limit" | "silence" | "closed";
  /** The description for people. */
  readonly reason: string;
}

/** How a session ends. */
export interface Verdict {
  readonly exit: SessionExit;
  readonly reason: string | undefined;
  /**
   * The cause of a cancellation that was neither by a human nor by a signal: it says nothing about
   * the task.
   */
  readonly cause: CancelCause | undefined;
  /** For the cause `setup`: what must be fixed before any session can work. */
  readonly setup?: SetupFault;
}

/** A fault in an agent's setup, which affects every task. */
export type SetupFault = "no_program" | "command_line" | "no_login" | "unknown_model";

/**
 * Decides a session's exit from the observations of its agent (docs/rules.md, Sessions). Exit code
 * 0 and `success` prove little: they also occur when our server failed to start, a tool was denied,
 * or the agent never signalled. After a closing verb all other problems are ignored, except that
 * the loop's budget ended it.
 */
export function verdictOn(seen: Seen): Verdict {
  const { end, stopped, closing, result } = seen;
  const byUs = stopped?.why === "cancelled" || stopped?.why === "fenced" || stopped?.why === "closed";
  // An agent without its tools may also wait for them until the watchdog ends it.
  const obstacle = closing === null && !byUs ? obstacleIn(seen) : undefined;
  if (obstacle !== undefined) return { exit: "cancelled", ...obstacle };
  if (stopped) return { ...ended(STOPPED[stopped.why], stopped.reason), cause: causeOf(stopped) };
  if (result?.subtype === "error_max_budget_usd")
    return { exit: "cancelled", reason: `the loop's budget ended it: ${result.text}`, cause: "budget" };
  if (result?.subtype === "error_max_turns") return ended("timed_out", result.text);
  const killer = end.signal ?? SIGNAL_OF_CODE.get(end.code ?? 0);
  if (killer !== undefined && !result) return ended("crashed", `its agent was ended by ${killer}`);
  if (result && !result.isError && result.subtype === "success") return ended("exited");
  if (result) {
    return closing !== null && result.subtype === "success"
      ? ended("exited", result.text)
      : ended("crashed", `its agent ended with ${result.subtype}: ${result.text}`);
  }
  if (end.code !== 0) return ended("crashed", `its agent ended with code ${end.code}${after(end.stderr)}`);
  return seen.init ? ended("crashed", "its agent ended without a result") : ended("exited");
}

type Obstacle = Omit<Verdict, "exit">;

/** Why an agent could not work on its task, if so; the client's own message comes first. */
function obstacleIn(seen: Seen): Obstacle | undefined {
  const { server, denied, problem } = seen;
  const start = startFault(seen);
  if (start) return start;
  if (problem) return ofModel(problem);
  if (server === "failed" || server === "missing") {
    const reason = `the agent could not reach its tools: server ${SERVER_NAME} is ${server}`;
    return { reason, cause: "tools" };
  }
  if (denied.size === 0) return undefined;
  const tools = [...new Set(denied.values())].join(", ");
  return { reason: `the agent was not allowed to use ${tools}`, cause: "denied" };
}

/** For a client that ended before it began: its own message. */
function startFault({ end, init, result, problem, server, stopped }: Seen): Obstacle | undefined {
  if (end.code === COULD_NOT_START || end.code === NOT_EXECUTABLE) {
    return {
      reason: `the agent could not be started${after(end.stderr)}`,
      cause: "setup",
      setup: "no_program",
    };
  }
  if (init || result || problem || stopped || server === "connected") return undefined;
  if (end.code === 0 || end.code === null || SIGNAL_OF_CODE.has(end.code)) return undefined;
  const refusal = refusedCommandLine(end.stderr);
  return refusal === undefined
    ? { reason: `the agent ended with code ${end.code} before it began${after(end.stderr)}`, cause: "tools" }
    : { reason: `the agent refused its command line: ${refusal}`, cause: "setup", setup: "command_line" };
}

function ofModel({ kind, text }: Problem): Obstacle {
  const reason = `the agent's model failed: ${text}`;
  switch (kind) {
    case "no_login":
    case "unknown_model":
      return { reason, cause: "setup", setup: kind };
    case "limit":
    case "outage":
      return { reason, cause: kind };
    case "other":
      return { reason, cause: "model" };
  }
}

/** The cause of a session that its driver cancelled: a human and a signal have none. */
export function causeOf({ why }: Stop): CancelCause | undefined {
  return why === "fenced" ? "driver" : undefined;
}

const STOPPED: Readonly<Record<Stop["why"], SessionExit>> = {
  cancelled: "cancelled",
  fenced: "cancelled",
  session_limit: "timed_out",
  silence: "timed_out",
  // It had closed; hanging afterwards says nothing about its work.
  closed: "exited",
};
/** The convention of shells and Claude Code for a death by signal: 128 plus its number. */
const SIGNAL_OF_CODE: ReadonlyMap<number, string> = new Map([
  [129, "SIGHUP"],
  [130, "SIGINT"],
  [137, "SIGKILL"],
  [143, "SIGTERM"],
]);

function ended(exit: SessionExit, reason?: string): Verdict {
  return { exit, reason: reason === "" ? undefined : reason, cause: undefined };
}

function after(text: string): string {
  const last = text.split("\n").at(-1)?.trim() ?? "";
  return last === "" ? "" : `: ${last.slice(0, 500)}`;
}

/**
 * The line of a client's stderr that names a fault of its command line; undefined if there is none.
 * Covers Claude Code (commander), Codex (clap), Gemini CLI and opencode (yargs); see test/clients.
 */
function refusedCommandLine(stderr: string): string | undefined {
  const lines = stderr.split("\n").map((line) => line.trim());
  const at = lines.findIndex((line) => REFUSALS.some((refusal) => refusal.test(line)));
  const line = lines[at];
  if (line === undefined) return undefined;
  // The fault is on the next line.
  if (line.endsWith(":")) return `${line} ${lines[at + 1] ?? ""}`;
  return OPENCODE_HELP.test(line) ? "it printed its help, as for an option that it does not know" : line;
}

const OPENCODE_HELP = /^opencode run \[message/;
const REFUSALS = [
  /^error: (?:unknown (?:option|command)|unexpected argument|invalid value|option .* (?:is invalid|argument missing)|the argument )/,
  /^(?:unknown arguments?|invalid values|not enough arguments following):/i,
  OPENCODE_HELP,
];
