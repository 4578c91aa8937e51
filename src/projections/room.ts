import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { ReadModelError } from "./read-model-error.ts";
import { UNNAMED_FILE } from "./read-model-file.ts";

/** What a read model leaves free on its file system, for the log: 16 MiB, some hundred reports. */
export const ROOM_FOR_LOG_BYTES = 16 * 1024 * 1024;

/** @param path of a read model: false where only the log may still write on its file system */
export function hasRoom(path: string): boolean {
  if (path === ":memory:" || path === UNNAMED_FILE) return true;
  const { bavail, bsize, blocks } = statfsSync(dirname(path));
  // Some file systems do not tell their size.
  return blocks === 0 || bavail * bsize >= ROOM_FOR_LOG_BYTES;
}

/** The error of a read model that stands still. Its text stays the same until the read model goes on. */
export function noRoom(path: string, position: number): ReadModelError {
  return new ReadModelError(
    "no_room",
    `The read model ${path} stopped at position ${position}: less than ${ROOM_FOR_LOG_BYTES / 1024 / 1024} MB are free on its file system, ` +
      "reserved for the log, which continues. Free some space there; the read model then continues by itself.",
  );
}
