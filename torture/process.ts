import { type ChildProcess, spawn } from "node:child_process";
import type { Command, Operation } from "./adapter.ts";

const LIMIT_MS = 120_000;

/** How a command ended: acknowledged or not, and all that it printed. */
interface Ended {
  readonly ok: boolean;
  readonly stdout: string;
  /** With what it printed on stderr. */
  readonly output: string;
}

/** A command that runs. */
interface Running {
  readonly ended: Promise<Ended>;
  /** Settles with the first output or the end. */
  readonly spoke: Promise<void>;
  /** Sends SIGKILL to the command and all the processes that it started. */
  kill(): void;
}

/** Starts a command in a process group of its own, with a home folder beside the project's; one that hangs is killed after two minutes, and not acknowledged. */
export function start(command: Command, folder: string): Running {
  const [program, ...args] = command.argv;
  const child = spawn(program, args, {
    cwd: folder,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH, HOME: `${folder}-home`, NO_COLOR: "1", CI: "true", ...command.env },
  });
  const kill = () => killGroup(child);
  const hangs = setTimeout(kill, LIMIT_MS);
  let output = "";
  let stdout = "";
  const spoke = new Promise<void>((resolve) => {
    child.stdout.once("data", () => resolve());
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  child.stdout.setEncoding("utf8").on("data", (data) => {
    output += data;
    stdout += data;
  });
  child.stderr.setEncoding("utf8").on("data", (data) => {
    output += data;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(hangs);
      resolve({ ok: code === 0 && (command.accepts?.(output) ?? true), stdout, output });
    });
  });
  return { ended, spoke, kill };
}

/** Runs the commands of an operation until one is not acknowledged; gives the last one's end, with the output of all. */
export async function perform(operation: Operation, folder: string): Promise<Ended> {
  let [output, stdout] = ["", ""];
  for (const command of operation) {
    const ended = await start(command, folder).ended;
    output += ended.output;
    stdout += ended.stdout;
    if (!ended.ok) return { ok: false, stdout, output };
  }
  return { ok: true, stdout, output };
}

/** What an operation prints on stdout. @throws Error if it is not acknowledged */
export async function outputOf(operation: Operation, folder: string): Promise<string> {
  const { ok, stdout, output } = await perform(operation, folder);
  if (!ok) throw new Error(`it refused: ${output.slice(0, 300)}`);
  return stdout;
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group has ended.
  }
}
