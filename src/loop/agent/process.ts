import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { map, merge, type Observable } from "rxjs";
import { endGroup } from "../../processes/group.ts";
import type { CommandLine } from "./client.ts";
import type { OutputLine } from "./facts.ts";
import { linesOf } from "./lines.ts";

export interface AgentProcess {
  /** The lines of its standard output and its standard error, as they come. */
  readonly lines: Observable<Pick<OutputLine, "text" | "from">>;
  /** Once the program is gone, and what it had said is read. */
  readonly ended: Promise<ProcessEnd>;
  /** Ends it with all that it started: TERM, and KILL for what is left after `grace_ms`. */
  stop(grace_ms: number): Promise<void>;
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last of its standard error. */
  readonly stderr: string;
}

export interface Surroundings {
  /** Its working folder. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The file that is its standard input. */
  readonly inputFile: string;
  /** Where its process id is written before it begins; with it, whoever comes after us can end it. */
  readonly pidFile: string;
}

/**
 * Starts an agent in a process group of its own, so that it can be ended with all that it started, and a Ctrl-C at the
 * terminal is ours to deal with. The shell writes its process id and then becomes the agent: there is no moment at which
 * an agent runs that nobody could find.
 */
export function startAgent(
  { file, args, environment }: CommandLine,
  surroundings: Surroundings,
): AgentProcess {
  const input = openSync(surroundings.inputFile, "r");
  const child = spawn("/bin/sh", ["-c", BECOME_AGENT, "sh", surroundings.pidFile, file, ...args], {
    cwd: surroundings.folder,
    env: { ...surroundings.environment, ...environment },
    detached: true,
    stdio: [input, "pipe", "pipe"],
  });
  closeSync(input);
  const { stdout: output, stderr: complaints, pid } = child;
  if (!output || !complaints) throw new Error("An agent was started without pipes.");
  let stderr = "";
  complaints.on("data", (data) => {
    stderr = `${stderr}${data}`.slice(-STDERR_LIMIT);
  });
  const lines = merge(
    linesOf(output).pipe(map((text) => ({ text, from: "stdout" as const }))),
    linesOf(complaints).pipe(map((text) => ({ text, from: "stderr" as const }))),
  );
  const gone = new Promise<ProcessEnd>((resolve) => {
    child.once("error", (error) => resolve({ code: COULD_NOT_START, signal: null, stderr: error.message }));
    child.once("exit", (code, signal) => resolve({ code, signal, stderr: "" }));
  });
  return {
    lines,
    ended: gone.then(async (end) => {
      // What it started may hold its output open, and has no business any more.
      const closed = once(child, "close").catch(() => undefined);
      if (child.exitCode !== null || child.signalCode !== null)
        await Promise.race([closed, delay(LAST_WORDS_MS)]);
      if (pid !== undefined) await endGroup(pid, LAST_WORDS_MS);
      output.destroy();
      complaints.destroy();
      return { ...end, stderr: (end.stderr || stderr).trim() };
    }),
    stop: async (grace_ms) => {
      if (pid !== undefined) await endGroup(pid, grace_ms);
    },
  };
}

/** Exit codes of the shell, where it could not become the agent: not executable, not found. */
export const COULD_NOT_START = 127;
export const NOT_EXECUTABLE = 126;

const BECOME_AGENT = 'echo $$ > "$1.new" && mv "$1.new" "$1" && shift && exec "$@"';
const STDERR_LIMIT = 10_000;
/** For what an agent printed last to be read, and for what it left behind to end. */
const LAST_WORDS_MS = 500;
