import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { ReadModelError } from "./read-model-error.ts";
import { UNNAMED_FILE } from "./read-model-file.ts";

/** The space that a read model leaves free for the log: 16 MiB, enough for some hundred reports. */
export const ROOM_FOR_LOG_BYTES = 16 * 1024 * 1024;

/** @returns false if the space left on the file system of `path` is reserved for the log */
export function hasRoom(path: string): boolean {
  if (path === ":memory:" || path === UNNAMED_FILE) return true;
  const { bavail, bsize, blocks } = statfsSync(dirname(path));
  // Some file systems do not report their size.
  return blocks === 0 || bavail * bsize >= ROOM_FOR_LOG_BYTES;
}

/**
 * The error of a read model that has paused for lack of space. Its text is constant until it
 * resumes.
 */
export function noRoom(path: string, position: number): ReadModelError {
  return new ReadModelError(
    "no_room",
    `The read model ${path} stopped at position ${position}: less than ` +
      `${ROOM_FOR_LOG_BYTES / 1024 / 1024} MB are free on its file system, which are reserved for the ` +
      "log. The log continues. Free some space there; the read model then continues by itself.",
  );
}
