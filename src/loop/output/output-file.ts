import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { runFolderOf } from "../run-folder.ts";
import { lastLineEnd, linesBefore, linesFrom } from "./lines.ts";
import { type OutputEntry, shortEntries, wholeEntries } from "./output-entry.ts";

/** A part of a session's output. */
export interface OutputPage {
  readonly entries: readonly OutputEntry[];
  /** Where the first line begins that was read, in bytes: the `before` of the page before it. */
  readonly start: number;
  /** Where the last one ends: the `from` of the next page. */
  readonly end: number;
  /** Whether no whole line follows yet. */
  readonly isEnd: boolean;
  /** Of the whole file, in bytes. */
  readonly size: number;
}

/** The part to read: from an offset on, before an offset, or the end. */
export interface PageWish {
  readonly from?: number | undefined;
  readonly before?: number | undefined;
  /** The most lines. */
  readonly limit: number;
}

/** Whose output, and how to read it. */
export interface OutputOf {
  readonly readModelPath: string;
  readonly session: string;
  /** Whether its agent has ended: then a line without a newline counts. */
  readonly isOver: boolean;
  /** As for `maskSecrets`. */
  readonly secrets: readonly string[];
}

/**
 * A page of a session's output. A file that is shorter than `from` was replaced: its end is read.
 *
 * @returns undefined: there is no such file
 */
export async function readOutput(of: OutputOf, wish: PageWish): Promise<OutputPage | undefined> {
  return withOutput(of, async (file, size) => {
    const { limit } = wish;
    const room = { limit, size, isOver: of.isOver };
    const isForward = wish.from !== undefined && wish.from <= size;
    const last = await lastLineEnd(file, room);
    const before = Math.min(wish.before ?? last, last);
    const lines = isForward
      ? await linesFrom(file, wish.from ?? 0, room)
      : await linesBefore(file, before, { limit });
    const nothing = isForward ? (wish.from ?? 0) : before;
    const end = lines.at(-1)?.end ?? nothing;
    return {
      entries: lines.flatMap((line) => shortEntries(line, of.secrets)),
      start: lines[0]?.at ?? nothing,
      end,
      isEnd: end >= last,
      size,
    };
  });
}

/** One entry with its whole text; undefined if there is none. */
export async function readEntry(of: OutputOf, at: number, nth: number): Promise<OutputEntry | undefined> {
  return withOutput(of, async (file, size) => {
    const [line] = await linesFrom(file, at, { limit: 1, size, isOver: of.isOver });
    return line?.at === at ? wholeEntries(line, of.secrets)[nth] : undefined;
  });
}

/** Opens the output; an agent could have put a link in its place, which is not followed. */
export async function withOutput<Answer>(
  { readModelPath, session }: Pick<OutputOf, "readModelPath" | "session">,
  read: (file: FileHandle, size: number) => Promise<Answer>,
): Promise<Answer | undefined> {
  const { path, outputFile } = runFolderOf(readModelPath, session);
  const folder = await lstat(path).catch(() => undefined);
  if (!folder?.isDirectory()) return undefined;
  const file = await open(outputFile, FLAGS).catch(() => undefined);
  if (!file) return undefined;
  try {
    const stats = await file.stat();
    return stats.isFile() ? await read(file, stats.size) : undefined;
  } finally {
    await file.close();
  }
}

/** Without waiting for the writer of a named pipe. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
