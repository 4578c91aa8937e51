import { spawn } from "node:child_process";
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { packagePath } from "../../lib/package-root.ts";
import { makePrivateFolder } from "../../lib/private-folder.ts";
import { ralphFolderOf } from "../../lib/project-folder.ts";
import { listDrivers } from "../drivers/registry.ts";

/** A `signalbox run` that outlives the process that started it. */
export interface DetachedRun {
  /** Its process group. */
  readonly group: number | undefined;
  /** Resolves once it has ended, with how. */
  readonly ended: Promise<string>;
}

/** The file for the output of a driver that was started without a terminal: `.ralph/loops/DRIVER.log`. */
export function outputFileOf(readModelPath: string, driver: string): string {
  return join(ralphFolderOf(readModelPath), "loops", `${driver}.log`);
}

/**
 * Starts `signalbox run` in a session of its own, so that no signal to the caller's terminal or group reaches it. Its output
 * goes to a file: a pipe would end it when the caller is gone.
 *
 * @throws Error from the system; LogError `disk`
 */
export function startDetached(
  readModelPath: string,
  outputFile: string,
  options: readonly string[],
): DetachedRun {
  makePrivateFolder(dirname(outputFile));
  prune(readModelPath, dirname(outputFile));
  const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;
  const output = openSync(outputFile, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
  try {
    const program = packagePath("bin/signalbox.js");
    const child = spawn(process.execPath, [program, "run", "--db", readModelPath, ...options], {
      cwd: dirname(ralphFolderOf(readModelPath)),
      detached: true,
      stdio: ["ignore", output, output],
    });
    child.unref();
    const ended = new Promise<string>((resolve) => {
      child.once("error", ({ message }) => resolve(message));
      child.once("exit", (code, signal) =>
        resolve(lastWords(outputFile) ?? `it ended with ${code ?? signal}`),
      );
    });
    return { group: child.pid, ended };
  } finally {
    closeSync(output);
  }
}

/** The last line of its output, without the name of the program and the code of the error. */
function lastWords(outputFile: string): string | undefined {
  const line = endOf(outputFile).trim().split("\n").at(-1);
  return line?.replace(/^signalbox: /, "").replace(/ \[\w+\]$/, "") || undefined;
}

/** The last bytes of a file; empty if it cannot be read. */
function endOf(path: string): string {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const bytes = Buffer.alloc(LAST_BYTES);
      const from = Math.max(0, fstatSync(file).size - LAST_BYTES);
      return bytes.toString("utf8", 0, readSync(file, bytes, 0, LAST_BYTES, from));
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}

const LAST_BYTES = 4_096;

/** Removes the outputs of the oldest runs; those of live drivers stay. */
function prune(readModelPath: string, folder: string): void {
  const live = listDrivers(readModelPath).filter(({ alive }) => alive);
  const stay = new Set(live.map(({ driver }) => outputFileOf(readModelPath, driver)));
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".log"))
    .map((name) => join(folder, name))
    .map((path) => ({ path, changed: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((one, other) => other.changed - one.changed);
  for (const { path } of files.slice(KEPT)) if (!stay.has(path)) rmSync(path, { force: true });
}

const KEPT = 50;
