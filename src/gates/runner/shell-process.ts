import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import type { ShellLine } from "./isolation.ts";
import { RunnerError } from "./runner-error.ts";

/** A command that runs. */
export interface ShellProcess {
  /** Of the shell, or of the program that isolates it; and of the process group that it leads. */
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Once the shell has ended. */
  readonly exited: Promise<Exit>;
  /** Once nobody has its outputs open any more, and all of them is read. */
  readonly closed: Promise<unknown>;
  /** Waits for it no longer, whatever still has its outputs open. */
  letGo(): void;
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Starts a shell in a session and process group of its own, with nothing to read.
 *
 * @throws RunnerError `not_started`
 */
export async function startShell(
  { file, args }: ShellLine,
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<ShellProcess> {
  try {
    const child = spawn(file, args, {
      cwd: folder,
      env: environment,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const exited = new Promise<Exit>((resolve) => {
      child.once("exit", (code, signal) => resolve({ code, signal }));
    });
    const closed = new Promise((resolve) => child.once("close", resolve));
    await once(child, "spawn");
    const { pid, stdout, stderr } = child;
    if (pid === undefined) throw new Error("it has no process id");
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
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new RunnerError(
      "not_started",
      `The shell for a gate's command could not be started in ${folder}: ${why}. The command was not run.`,
      { cause },
    );
  }
}
