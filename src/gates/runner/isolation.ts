import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { promisify } from "node:util";
import type { IsolationWay } from "../../events/types/command-result.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { isIn } from "../../lib/is-in.ts";
import { platform } from "../../lib/platform/here.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { bwrapArguments } from "./bwrap.ts";
import { confinedFolder } from "./confined-folder.ts";
import { findTool } from "./find-tool.ts";
import type { Place } from "./place.ts";
import { RunnerError } from "./runner-error.ts";
import { unshareArguments } from "./unshare.ts";

/**
 * `none`; or no network, and a read-only root except for `writable` (by default the working folder)
 * and an empty `/tmp`. If the requested isolation is not available, nothing runs.
 */
export type Isolation =
  | "none"
  | {
      readonly network: false;
      readonly readOnlyRoot: true;
      readonly writable?: string | undefined;
      /** A folder that stays read-only inside `writable`: the project's `.ralph`. */
      readonly readOnly?: string | undefined;
      /** Files that the command must not read, if they are there: passwords of ours. */
      readonly hidden?: readonly string[] | undefined;
    };

/** The start of a command's shell. */
export interface ShellLine {
  readonly file: string;
  readonly args: readonly string[];
  readonly isolation: IsolationWay;
}

/**
 * The command line that runs a command.
 *
 * @param folder a real path
 * @param shell the program that runs it and its arguments, before the command; the system's if absent
 * @throws RunnerError `isolation`: not available here, with what to install or turn off; `folder`:
 * not in `writable`
 */
export async function shellLine(
  command: string,
  folder: string,
  isolation: Isolation,
  shell?: readonly string[],
): Promise<ShellLine> {
  if (isolation === "none") {
    const [file = "", ...args] = [...(shell ?? platform().programs.shell()), command];
    return { file, args, isolation };
  }
  const writable = confinedFolder(isolation.writable ?? folder);
  const { isolator, problems } = await findIsolator({
    folder: confinedFolder(writable, folder),
    writable,
    readOnly: readOnlyIn(writable, isolation.readOnly),
    hidden: isolation.hidden?.flatMap(realFile),
  });
  // Where there is isolation, there is sh.
  if (isolator) return isolator.lineFor(shell ? [...shell, command].map(shellWord).join(" ") : command);
  throw new RunnerError(
    "isolation",
    "The command was not run: it must run without network and with a read-only root, which is not " +
      `possible here (${problems.join("; ")}). Install bubblewrap and allow user namespaces, or turn ` +
      "isolation off in the configuration.",
  );
}

/** A worktree is in `.ralph`, and writable; everything outside it is read-only anyway. */
function readOnlyIn(writable: string, folder: string | undefined): string | undefined {
  if (folder === undefined || !existsSync(folder)) return undefined;
  const real = realpathSync(folder);
  return isIn(writable, real) && real !== writable ? real : undefined;
}

function realFile(path: string): string[] {
  return existsSync(path) ? [realpathSync(path)] : [];
}

export interface Isolator {
  readonly by: "bwrap" | "unshare";
  lineFor(command: string): ShellLine;
}

/**
 * Finds a working isolation for a place by trying: bwrap, then unshare.
 *
 * @returns the first that works; and why each of the others does not, such as `bwrap: is not on
 * PATH`
 */
export async function findIsolator(
  place: Place,
): Promise<{ readonly isolator: Isolator | undefined; readonly problems: readonly string[] }> {
  if (!platform().isolates) return { isolator: undefined, problems: ["only Linux has namespaces"] };
  if (place.writable === "/")
    return { isolator: undefined, problems: ["the project is the root folder itself"] };
  const problems: string[] = [];
  for (const { by, argumentsFor } of ISOLATORS) {
    const file = findTool(by, place.writable);
    if (file === undefined) {
      problems.push(`${by}: is not on PATH`);
      continue;
    }
    const lineFor = (command: string) => ({
      file,
      args: argumentsFor(file, place, command),
      isolation: by,
    });
    const problem = await problemWith(lineFor("exit 0"));
    if (problem === undefined) return { isolator: { by, lineFor }, problems };
    problems.push(`${by}: ${problem}`);
  }
  return { isolator: undefined, problems };
}

const ISOLATORS: readonly {
  readonly by: Isolator["by"];
  argumentsFor(file: string, place: Place, command: string): string[];
}[] = [
  { by: "bwrap", argumentsFor: (_file, place, command) => bwrapArguments(place, command) },
  { by: "unshare", argumentsFor: unshareArguments },
];

async function problemWith({ file, args }: ShellLine): Promise<string | undefined> {
  try {
    await promisify(execFile)(file, args, { env: {}, timeout: TRIAL_MS, killSignal: "SIGKILL" });
    return undefined;
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
    return said.split("\n")[0] || errorMessage(error);
  }
}

const TRIAL_MS = 20_000;
