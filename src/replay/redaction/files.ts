import { closeSync, type Dirent, fsyncSync, openSync, readdirSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";

/**
 * Every file below a project's `.ralph/` but the worktrees of tasks, which are the work itself. Links are not followed.
 */
export function filesIn(folder: string): string[] {
  return entriesIn(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "worktrees" ? [] : filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}

/** A folder that is gone meanwhile, as that of a session may be, has none. */
function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** True for a file in which one of the needles stands; false for one that is gone meanwhile. */
export function holds(path: string, needles: readonly Buffer[]): boolean {
  const found = inFile(path, "r", (file) => placesIn(file, needles, wholesOf).next().done === false);
  return found ?? false;
}

/**
 * Writes over the needles in a file, and over what stands there of one that was cut, its beginning or its end; in place and
 * without changing the file's length: whoever has it open, as an agent its transcript, goes on at the right place.
 *
 * @returns true if there was one
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

/** Where needles stand in a file, by pieces that overlap by the longest of them. */
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

/** A needle, or as much of its beginning or its end as there is, from `SHORTEST_PART` on. */
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

/** In bytes. Shorter beginnings and ends are those of other texts, too. */
const SHORTEST_PART = 24;

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
