import { closeSync, fsyncSync, openSync, readdirSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";

/**
 * Every file below a project's `.ralph/` but the worktrees of tasks, which are the work itself. Links are not followed.
 */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "worktrees" ? [] : filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}

/** True for a file in which one of the needles stands; false for one that is gone meanwhile. */
export function holds(path: string, needles: readonly Buffer[]): boolean {
  return inFile(path, "r", (file) => placesIn(file, needles).next().done === false) ?? false;
}

/**
 * Writes over the needles in a file, in place and without changing its length: whoever has it open, as an agent its
 * transcript, goes on at the right place.
 *
 * @returns true if there was one
 */
export function blank(path: string, needles: readonly Buffer[]): boolean {
  const found = inFile(path, "r+", (file) => {
    let places = 0;
    for (const { start, length } of placesIn(file, needles)) {
      writeSync(file, Buffer.alloc(length, "x"), 0, length, start);
      places++;
    }
    if (places > 0) fsyncSync(file);
    return places > 0;
  });
  return found ?? false;
}

interface Place {
  readonly start: number;
  readonly length: number;
}

/** Where needles stand in a file, by pieces that overlap by the longest of them. */
function* placesIn(file: number, needles: readonly Buffer[]): Generator<Place> {
  const longest = Math.max(0, ...needles.map(({ length }) => length));
  const piece = Buffer.alloc(PIECE + longest);
  for (let start = 0; ; start += PIECE) {
    const bytes = piece.subarray(0, readSync(file, piece, 0, piece.length, start));
    for (const needle of needles) {
      for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + 1)) {
        yield { start: start + at, length: needle.length };
      }
    }
    if (bytes.length < piece.length) return;
  }
}

const PIECE = 1 << 20;

function inFile<T>(path: string, flags: "r" | "r+", use: (file: number) => T): T | undefined {
  let file: number;
  try {
    file = openSync(path, flags);
  } catch {
    // Gone meanwhile, or somebody else's.
    return undefined;
  }
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}
