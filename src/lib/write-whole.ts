import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

/**
 * Writes a file that its owner alone can read. A reader finds the old text or the new one, never a part of it.
 *
 * @throws Error of the system
 */
export function writeWhole(path: string, text: string): void {
  // Beside it, since a rename is atomic within a file system only; named by process, since several may write at once.
  const beside = `${path}.${process.pid}.new`;
  rmSync(beside, { force: true });
  try {
    writeFileSync(beside, text, { flag: "wx", mode: 0o600 });
    renameSync(beside, path);
  } finally {
    rmSync(beside, { force: true });
  }
}

/**
 * The same, but a file that says the same already is not touched, so that its time tells when something changed.
 *
 * @returns true if it was written
 * @throws Error of the system
 */
export function writeIfChanged(path: string, text: string): boolean {
  if (contentOf(path) === text) return false;
  writeWhole(path, text);
  return true;
}

/** Undefined for a file that is not there, or cannot be read. */
export function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
