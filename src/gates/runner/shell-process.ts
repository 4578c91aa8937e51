import { once } from "node:events";
import type { Readable } from "node:stream";
import { errorMessage } from "../../lib/error-message.ts";
import { platform } from "../../lib/platform/here.ts";
import type { ShellLine } from "./isolation.ts";
import { RunnerError } from "./runner-error.ts";

/** A running command. */
export interface ShellProcess {
  /** The pid of the shell, or of the isolating program; also the id of its process group. */
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Once the shell has ended. */
  readonly exited: Promise<Exit>;
  /** Once its outputs are closed by all processes and fully read. */
  readonly closed: Promise<unknown>;
  /** Stops waiting, even if a process still has its outputs open. */
  letGo(): void;
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Starts a shell in its own session and process group, with empty standard input.
 *
 * @throws RunnerError `not_started`
 */
export async function startShell(
  { file, args }: ShellLine,
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<ShellProcess> {
  try {
    const child = platform().groups.start({ file, args, folder, environment });
    const exited = new Promise<Exit>((resolve) => {
      child.once("exit", (code, signal) => resolve({ code, signal }));
    });
    const closed = new Promise((resolve) => child.once("close", resolve));
    await once(child, "spawn");
    const { pid, stdout, stderr } = child;
    if (pid === undefined || !stdout || !stderr) throw new Error("it has no process id, or no output");
    return {
      pid,
      stdout,
      stderr,
      exited,
      closed,
      letGo() {
        stdout.destroy();
        stderr.destroy();
        child.unref();
      },
    };
  } catch (cause) {
    const why = errorMessage(cause);
    throw new RunnerError(
      "not_started",
      `The shell for a gate's command could not be started in ${folder}: ${why}. The command was not run.`,
      { cause },
    );
  }
}
