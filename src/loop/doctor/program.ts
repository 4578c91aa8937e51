import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { platform } from "../../lib/platform/here.ts";

export interface Answer {
  /** Null if it could not start or was killed. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Why it was killed. */
  readonly stopped?: "time" | "output";
}

/** The timeout for a program. */
const LIMIT_MS = 10_000;
/** No relevant answer is longer. */
const OUTPUT_LIMIT = 1_000_000;

export interface Run {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Its whole standard input. */
  readonly input?: string;
  readonly limit_ms?: number;
}

/**
 * Runs a program without a shell until it ends; kills one that takes too long or prints too much.
 */
export function run(program: string, args: readonly string[], options: Run): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { file, args: words, ...how } = platform().programs.line(program, args, options.env);
    const child = spawn(file, words, {
      cwd: options.cwd,
      env: options.env,
      stdio: "pipe",
      windowsHide: true,
      ...how,
    });
    let stdout = "";
    let stderr = "";
    let stopped: Answer["stopped"];
    const stop = (why: NonNullable<Answer["stopped"]>) => {
      stopped ??= why;
      child.kill("SIGKILL");
      // A grandchild may hold the pipes open; its output is not needed.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const timer = setTimeout(stop, options.limit_ms ?? LIMIT_MS, "time");
    const keep = (before: string, text: string) => {
      if (before.length > OUTPUT_LIMIT) stop("output");
      return before + text;
    };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout = keep(stdout, text)));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr = keep(stderr, text)));
    child.stdin.on("error", () => {});
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on("close", (exitCode) => {
      clearTimeout(timer);
      resolve({ exitCode, stdout, stderr, ...(stopped && { stopped }) });
    });
    child.stdin.end(options.input ?? "");
  });
}

/**
 * The path of a program: searches PATH for a name, resolves a path from `cwd`; undefined if not
 * found.
 */
export function findProgram(program: string, { cwd, env }: Pick<Run, "cwd" | "env">): string | undefined {
  const { isPath, files } = platform().programs;
  const places = isPath(program)
    ? [resolve(cwd, program)]
    : (env.PATH ?? "").split(delimiter).map((folder) => join(resolve(cwd, folder), program));
  return places.flatMap(files).find(canBeRun);
}

function canBeRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
