import { renameSync, rmSync, writeFileSync } from "node:fs";

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
