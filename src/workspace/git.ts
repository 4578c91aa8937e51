import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { errorMessage } from "../lib/error-message.ts";
import { platform } from "../lib/platform/here.ts";
import { ToldError } from "../lib/told-error.ts";

const run = promisify(execFile);

/** A failed git command; `message` quotes it. */
export class GitError extends ToldError<"git"> {
  override readonly name = "GitError";
  readonly fault = "unusable";
  /** Its output before it failed, if it ran at all. */
  readonly stdout: string;
  /** Undefined if a signal ended it, or it could not start. */
  readonly exitCode: number | undefined;

  constructor(
    message: string,
    options: ErrorOptions & { readonly stdout?: string; readonly exitCode?: number | undefined } = {},
  ) {
    super("git", message, options);
    this.stdout = options.stdout ?? "";
    this.exitCode = options.exitCode;
  }
}

/** A failure of git or of the file system. */
export function isOfGit(error: unknown): error is Error {
  return error instanceof GitError || (error instanceof Error && "syscall" in error);
}

export interface GitOptions {
  /** Variables in addition to those of `gitEnvironment`. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Its standard input; empty if absent. */
  readonly input?: string | undefined;
  /** Aborts it. */
  readonly signal?: AbortSignal | undefined;
  /** When it is ended with an error; a repository written by an agent may let git wait for ever. */
  readonly limit_ms?: number | undefined;
}

/**
 * Runs git in a folder and returns its output. Runs neither the repository's hooks nor its file
 * system monitor: an agent could write them, and they would run as the current user.
 *
 * @throws GitError, also after an abort
 */
export async function git(
  folder: string,
  args: readonly string[],
  { environment = {}, input = "", signal, limit_ms = LIMIT_MS }: GitOptions = {},
): Promise<string> {
  try {
    const running = run("git", [...NO_PROGRAMS, "-C", folder, ...args], {
      env: { ...gitEnvironment(process.env), GIT_OPTIONAL_LOCKS: "0", ...environment },
      maxBuffer: OUTPUT_LIMIT,
      killSignal: "SIGKILL",
      timeout: limit_ms,
      ...(signal && { signal }),
    });
    // A process that ends without reading all of its input reports its own error.
    running.child.stdin?.on("error", () => {}).end(input);
    return (await running).stdout;
  } catch (cause) {
    const said = cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim() : "";
    const stdout = cause instanceof Error && "stdout" in cause ? String(cause.stdout) : "";
    const exitCode =
      cause instanceof Error && "code" in cause && typeof cause.code === "number" ? cause.code : undefined;
    const message = isTooLong(cause)
      ? `git ${args[0] ?? ""} was ended after ${limit_ms / 60_000} min in ${folder}. Run it there to see why it waits.`
      : said || errorMessage(cause);
    throw new GitError(message, { cause, stdout, exitCode });
  }
}

/** The variables that give git these settings; not with `-c`, which ends a name at its first `=`. */
export function configVariables(settings: readonly (readonly string[])[]): Record<string, string> {
  const pairs = settings.flatMap(([name = "", value = ""], place) => [
    [`GIT_CONFIG_KEY_${place}`, name],
    [`GIT_CONFIG_VALUE_${place}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) };
}

/** The same, or undefined if it fails; for things that may not exist. */
export async function tryGit(
  folder: string,
  args: readonly string[],
  options?: GitOptions,
): Promise<string | undefined> {
  try {
    return await git(folder, args, options);
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

/** What git lists with `-z`. */
export function splitNul(listed: string): string[] {
  return listed.split("\0").filter((part) => part !== "");
}

/** The top of a folder's repository, and the folder relative to it; empty for the top. @throws GitError */
export async function placeIn(folder: string): Promise<{ readonly prefix: string; readonly top: string }> {
  const [prefix = "", top = ""] = (
    await git(folder, ["rev-parse", "--show-prefix", "--show-toplevel"])
  ).split("\n");
  return { prefix: prefix.replace(/\/$/, ""), top };
}

/** A path below which git stores data about a folder's worktree, such as its `index`. @throws GitError */
export async function gitPath(folder: string, name: string, options?: GitOptions): Promise<string> {
  return (await git(folder, ["rev-parse", "--path-format=absolute", "--git-path", name], options)).trimEnd();
}

/** True if git is installed and a folder is in a worktree. */
export async function isWorkTree(folder: string, signal?: AbortSignal): Promise<boolean> {
  try {
    return (await git(folder, ["rev-parse", "--is-inside-work-tree"], { signal })).trim() === "true";
  } catch {
    return false;
  }
}

/** True if git would add a file: it is in a worktree, and not ignored. */
export async function isSeenByGit(path: string): Promise<boolean> {
  const folder = dirname(path);
  if (!(await isWorkTree(folder))) return false;
  try {
    await git(folder, ["check-ignore", "--quiet", "--", path]);
    return false;
  } catch {
    return true;
  }
}

const NO_PROGRAMS = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  // An agent could make a folder look like one, with settings that lead elsewhere.
  "safe.bareRepository=explicit",
].flatMap((setting) => ["-c", setting]);

/**
 * The variables that git needs to find itself and its user's settings. No credentials, and no
 * GIT_*, which would redirect it.
 */
function gitEnvironment(from: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { variables, variableKey } = platform().programs;
  const passed = new Set([...PASSED, ...variables].map(variableKey));
  return Object.fromEntries(
    Object.entries(from).filter(([name]) => passed.has(variableKey(name)) || name.startsWith("LC_")),
  );
}

const PASSED = ["PATH", "HOME", "LANG", "TZ", "TMPDIR", "USER", "LOGNAME", "XDG_CONFIG_HOME"];

/** Ended by the time limit: an abort has another name, and too much output another code. */
const isTooLong = (cause: unknown) =>
  cause instanceof Error && cause.name !== "AbortError" && "killed" in cause && cause.killed === true;

/** Large repositories take minutes. */
const LIMIT_MS = 600_000;
const OUTPUT_LIMIT = 64 * 1024 * 1024;
