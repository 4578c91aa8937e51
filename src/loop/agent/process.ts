import { once } from "node:events";
import { StringDecoder } from "node:string_decoder";
import { setTimeout as delay } from "node:timers/promises";
import { map, merge, Observable } from "rxjs";
import { platform } from "../../lib/platform/here.ts";
import { endGroup } from "../../lib/processes/group.ts";
import type { CommandLine } from "./client.ts";
import type { OutputLine } from "./facts.ts";

export interface AgentProcess {
  /** The lines of its standard output and its standard error, as they come. */
  readonly lines: Observable<Pick<OutputLine, "text" | "from">>;
  /** Resolves once the program has exited and its output is read. */
  readonly ended: Promise<ProcessEnd>;
  /** Ends it and all of its child processes: TERM, then KILL after `grace_ms`. */
  stop(grace_ms: number): Promise<void>;
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The end of its stderr. */
  readonly stderr: string;
}

export interface Surroundings {
  /** Its working directory. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The file for its standard input. */
  readonly inputFile: string;
  /** Gets its process id before it begins, so that a later driver can end it. */
  readonly pidFile: string;
}

/**
 * Starts an agent in its own process group, so that it can be ended with all of its children, and a
 * Ctrl-C at the terminal reaches only us. Its process id is on disk before it begins.
 */
export function startAgent(
  { file, args, environment }: CommandLine,
  surroundings: Surroundings,
): AgentProcess {
  const child = platform().groups.start({
    ...surroundings,
    file,
    args,
    environment: { ...surroundings.environment, ...environment },
  });
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
      // Its child processes may hold its output open; they must end too.
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

/** The shell's exit codes if exec failed: not executable, not found. */
export const COULD_NOT_START = 127;
export const NOT_EXECUTABLE = 126;

const STDERR_LIMIT = 10_000;
/** Time to read an agent's last output and end its child processes. */
const LAST_WORDS_MS = 500;

/** Longer lines are cut here, so that an agent's output cannot fill the memory. */
const LINE_LIMIT = 8_000_000;

/** The lines of a byte stream, without line ends; includes a last line without line end. */
function linesOf(stream: NodeJS.ReadableStream): Observable<string> {
  return new Observable((subscriber) => {
    const decoder = new StringDecoder("utf8");
    let rest = "";
    function take(text: string): void {
      const parts = text.split("\n");
      for (const [index, part] of parts.entries()) {
        if (rest.length < LINE_LIMIT) rest += part.slice(0, LINE_LIMIT - rest.length);
        if (index < parts.length - 1) {
          subscriber.next(rest.replace(/\r$/, ""));
          rest = "";
        }
      }
    }
    const onData = (data: Buffer) => take(decoder.write(data));
    const onEnd = () => {
      take(decoder.end());
      if (rest !== "") subscriber.next(rest);
      subscriber.complete();
    };
    stream.on("data", onData);
    stream.once("end", onEnd);
    // A broken pipe ends the stream.
    stream.once("error", onEnd);
    stream.once("close", onEnd);
    return () => {
      stream.removeListener("data", onData);
      stream.removeListener("end", onEnd);
      stream.removeListener("error", onEnd);
      stream.removeListener("close", onEnd);
    };
  });
}
