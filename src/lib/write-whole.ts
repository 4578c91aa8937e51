import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { platform } from "./platform/here.ts";

/**
 * Writes a file atomically, readable by its owner only.
 *
 * @throws Error from the system
 */
export function writeWhole(path: string, text: string): void {
  writeBeside(path, text, (beside) => platform().files.replace(beside, path));
}

/**
 * The same for a file that whoever is first makes; one that is there stays.
 *
 * @throws Error from the system
 */
export function makeWhole(path: string, text: string): void {
  writeBeside(path, text, (beside) => {
    try {
      linkSync(beside, path);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  });
}

function writeBeside(path: string, text: string, put: (beside: string) => void): void {
  // Beside it, since a rename is atomic only within a file system; named by process, since several
  // may write at once.
  const beside = `${path}.${process.pid}.new`;
  rmSync(beside, { force: true });
  try {
    writeFileSync(beside, text, { flag: "wx", mode: 0o600 });
    put(beside);
  } finally {
    rmSync(beside, { force: true });
  }
}

/**
 * The same, but an unchanged file is not touched, so that its mtime shows the last change.
 *
 * @returns true if it was written
 * @throws Error from the system
 */
export function writeIfChanged(path: string, text: string): boolean {
  if (contentOf(path) === text) return false;
  writeWhole(path, text);
  return true;
}

/** Undefined if the file is missing or unreadable. */
export function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
