import type { ServerState } from "../../events/types/agents.ts";
import type { SessionExit } from "../../events/types/sessions.ts";
import type { ClosingVerb } from "../../events/types/signals.ts";
import type { AgentFact, Problem } from "./facts.ts";
import { COULD_NOT_START, NOT_EXECUTABLE, type ProcessEnd } from "./process.ts";

/** All that is known of an agent's run when it is over. */
export interface Seen {
  readonly end: ProcessEnd;
  /** Why the driver ended it, where it did. */
  readonly stopped: Stop | undefined;
  /** Whether it said what it works with; a program that speaks no stream-json never does. */
  readonly init: Extract<AgentFact, { kind: "init" }> | undefined;
  readonly result: Extract<AgentFact, { kind: "result" }> | undefined;
  /** Why its model gave no answer at last. */
  readonly problem: Problem | undefined;
  /** Whether it could reach our server. */
  readonly server: ServerState;
  /** Tools of ours that it was not allowed to use. */
  readonly denied: readonly string[];
  readonly closing: ClosingVerb | null;
}

export interface Stop {
  readonly why: "cancelled" | "session_limit" | "silence" | "closed";
  /** The same for people. */
  readonly reason: string;
}

/** How a session ends. */
export interface Verdict {
  readonly exit: SessionExit;
  readonly reason: string | undefined;
  /** True where the agent could not start or reach its tools: that is no word about the task. */
  readonly unusable: boolean;
}

/**
 * How a session ends, by what was seen of its agent. Exit code 0 and a `success` say little: they also come when our server
 * failed to start, when a tool was denied, and when the agent never signalled. Where a closing verb was called, nothing that
 * went wrong around it counts.
 */
export function verdictOn(seen: Seen): Verdict {
  const { end, stopped, closing } = seen;
  const byUs = stopped?.why === "cancelled" || stopped?.why === "closed";
  // An agent without its tools may also wait for them until the watchdog comes.
  const obstacle = closing === null && !byUs ? obstacleIn(seen) : undefined;
  if (obstacle !== undefined) return { exit: "cancelled", reason: obstacle, unusable: true };
  if (stopped) return { exit: STOPPED[stopped.why], reason: stopped.reason, unusable: false };
  if (seen.result && LIMITS.has(seen.result.subtype)) return ended("timed_out", seen.result.text);
  const killer = end.signal ?? SIGNAL_OF_CODE.get(end.code ?? 0);
  if (killer !== undefined && !seen.result) return ended("crashed", `its agent was ended by ${killer}`);
  if (seen.result && !seen.result.isError && seen.result.subtype === "success") return ended("exited");
  if (seen.result) {
    return closing !== null && seen.result.subtype === "success"
      ? ended("exited", seen.result.text)
      : ended("crashed", `its agent ended with ${seen.result.subtype}: ${seen.result.text}`);
  }
  if (end.code !== 0) return ended("crashed", `its agent ended with code ${end.code}${after(end.stderr)}`);
  return seen.init ? ended("crashed", "its agent ended without a result") : ended("exited");
}

/** Why an agent could not do anything about its task, if so. */
function obstacleIn({ end, init, result, problem, server, denied, stopped }: Seen): string | undefined {
  if (end.code === COULD_NOT_START || end.code === NOT_EXECUTABLE) {
    return `the agent could not be started${after(end.stderr)}`;
  }
  if (server === "failed" || server === "missing") {
    return `the agent could not reach its tools: server ralph is ${server}`;
  }
  if (denied.length > 0) return `the agent was not allowed to use ${[...new Set(denied)].join(", ")}`;
  if (problem) return `the agent's model failed: ${problem.text}`;
  if (init || result || stopped || server === "connected" || end.signal !== null) return undefined;
  const killed = SIGNAL_OF_CODE.has(end.code ?? 0);
  return end.code !== 0 && !killed
    ? `the agent ended with code ${end.code} before it began${after(end.stderr)}`
    : undefined;
}

const STOPPED: Readonly<Record<Stop["why"], SessionExit>> = {
  cancelled: "cancelled",
  session_limit: "timed_out",
  silence: "timed_out",
  // It had closed; that it hung afterwards is no word about its work.
  closed: "exited",
};
const LIMITS: ReadonlySet<string> = new Set(["error_max_turns", "error_max_budget_usd"]);
/** As shells and Claude Code say that a signal ended them: 128 and its number. */
const SIGNAL_OF_CODE: ReadonlyMap<number, string> = new Map([
  [129, "SIGHUP"],
  [130, "SIGINT"],
  [137, "SIGKILL"],
  [143, "SIGTERM"],
]);

function ended(exit: SessionExit, reason?: string): Verdict {
  return { exit, reason: reason === "" ? undefined : reason, unusable: false };
}

function after(text: string): string {
  const last = text.split("\n").at(-1)?.trim() ?? "";
  return last === "" ? "" : `: ${last.slice(0, 500)}`;
}
