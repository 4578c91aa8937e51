import { closeSync, type Dirent, fsyncSync, openSync, readdirSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";

/**
 * Every file below a project's `.ralph/` except the tasks' worktrees, which hold the work itself.
 * Links are not followed.
 */
export function filesIn(folder: string): string[] {
  return entriesIn(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "worktrees" ? [] : filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}

/** A folder that has disappeared meanwhile, such as a session's, has no files. */
function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** True if a file contains one of the needles; false if it has disappeared meanwhile. */
export function holds(path: string, needles: readonly Buffer[]): boolean {
  const found = inFile(path, "r", (file) => placesIn(file, needles, wholesOf).next().done === false);
  return found ?? false;
}

/**
 * Overwrites needles in a file, including truncated ones (a beginning or an end). In place and
 * without changing the length: a process that has the file open, such as an agent its transcript,
 * continues at the right offset.
 *
 * @returns true if it found one
 */
export function blank(path: string, needles: readonly Buffer[]): boolean {
  const found = inFile(path, "r+", (file) => {
    let places = 0;
    for (const { start, length } of placesIn(file, needles, partsOf)) {
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

type Find = (bytes: Buffer, needle: Buffer) => Iterable<Place>;

/** Finds needles by reading overlapping chunks; the overlap is the longest needle. */
function* placesIn(file: number, needles: readonly Buffer[], find: Find): Generator<Place> {
  const longest = Math.max(0, ...needles.map(({ length }) => length));
  const piece = Buffer.alloc(PIECE + longest);
  for (let start = 0; ; start += PIECE) {
    const bytes = piece.subarray(0, readSync(file, piece, 0, piece.length, start));
    for (const needle of needles) {
      for (const place of find(bytes, needle)) yield { ...place, start: start + place.start };
    }
    if (bytes.length < piece.length) return;
  }
}

function* wholesOf(bytes: Buffer, needle: Buffer): Generator<Place> {
  for (let start = bytes.indexOf(needle); start >= 0; start = bytes.indexOf(needle, start + 1)) {
    yield { start, length: needle.length };
  }
}

/** A needle, or any beginning or end of it with at least `SHORTEST_PART` bytes. */
function* partsOf(bytes: Buffer, needle: Buffer): Generator<Place> {
  const { length } = needle;
  for (const { start } of wholesOf(bytes, needle.subarray(0, SHORTEST_PART))) {
    let same = 0;
    while (same < length && bytes[start + same] === needle[same]) same++;
    yield { start, length: same };
  }
  if (length <= SHORTEST_PART) return;
  for (const { start } of wholesOf(bytes, needle.subarray(-SHORTEST_PART))) {
    const end = start + SHORTEST_PART;
    let same = SHORTEST_PART;
    while (same < length && same < end && bytes[end - same - 1] === needle[length - same - 1]) same++;
    yield { start: end - same, length: same };
  }
}

/** In bytes. Shorter beginnings and ends occur in other texts too. */
const SHORTEST_PART = 24;

const PIECE = 1 << 20;

function inFile<T>(path: string, flags: "r" | "r+", use: (file: number) => T): T | undefined {
  let file: number;
  try {
    file = openSync(path, flags);
  } catch {
    // It has disappeared meanwhile, or belongs to another user.
    return undefined;
  }
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}
