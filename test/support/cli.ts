import { spawn } from "node:child_process";
import { stateVariables } from "../../src/config/state-folder.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { callProgram, canCall } from "./in-process.ts";
import { containing } from "./refusal.ts";

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

/** What a command that fails comes to: its exit code, and these words on stderr. */
export function fails(exitCode: number, words: string | RegExp): { exitCode: number; stderr: unknown } {
  return { exitCode, stderr: containing(words) };
}

/** What a command that succeeds comes to, with these words on stdout. */
export function prints(words: string | RegExp): { exitCode: number; stdout: unknown } {
  return { exitCode: 0, stdout: containing(words) };
}

interface Circumstances {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Runs the built program as a user does. `input` is its standard input. One call at a time is made in this process, which costs a sixth;
 * what runs beside it, goes on until something happens or is about processes has one of its own.
 */
export function signalbox(args: readonly string[], circumstances: Circumstances = {}): Promise<Ran> {
  const { cwd = process.cwd(), input = "", env = {} } = circumstances;
  if (!canCall() || args.some((arg) => OWN_PROCESS.has(arg))) return signalboxApart(args, circumstances);
  return callProgram([process.execPath, PROGRAM, ...args], { cwd, input, env: variables(env) });
}

const OWN_PROCESS = new Set(["mcp", "serve", "watch", "worker", "--follow", "--wait", "wait"]);

/** The same in a process of its own, for what is known from a process or happens at its end. */
export function signalboxApart(args: readonly string[], circumstances: Circumstances): Promise<Ran> {
  return runProgram(PROGRAM, args, circumstances);
}

const PROGRAM = packagePath("bin/signalbox.js");

function variables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? "", ...stateVariables(process.env), ...env };
}

/** The same for another program. */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, input = "", env = {} }: Circumstances,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd,
      env: variables(env),
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ stdout, stderr, exitCode }));
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

/** The same with `--json`, its output parsed. @throws if the command failed */
export async function signalboxJson(
  args: readonly string[],
  options: { cwd: string; env?: Record<string, string> },
): Promise<unknown> {
  const ran = await signalbox([...args, "--json"], options);
  if (ran.exitCode !== 0) throw new Error(`signalbox ${args.join(" ")}: ${ran.exitCode} ${ran.stderr}`);
  return JSON.parse(ran.stdout);
}
