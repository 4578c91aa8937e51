import { spawn } from "node:child_process";
import { closeSync, constants, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { makePrivateFolder } from "../../events/private-folder.ts";
import { ralphFolderOf } from "../../events/project-folder.ts";
import { packagePath } from "../../lib/package-root.ts";
import { contentOf } from "../../lib/write-whole.ts";

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
  prune(dirname(outputFile));
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
  const line = contentOf(outputFile)?.trim().split("\n").at(-1);
  return line?.replace(/^signalbox: /, "").replace(/ \[\w+\]$/, "") || undefined;
}

/** Removes the outputs of the oldest runs. */
function prune(folder: string): void {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".log"))
    .map((name) => join(folder, name))
    .map((path) => ({ path, changed: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((one, other) => other.changed - one.changed);
  for (const { path } of files.slice(KEPT)) rmSync(path, { force: true });
}

const KEPT = 50;
