import type { FileHandle } from "node:fs/promises";

/** A line of a file, in bytes. */
export interface FileLine {
  readonly at: number;
  /** After its newline. */
  readonly end: number;
  /** Its beginning, if it is longer than `LINE_LIMIT`. */
  readonly text: string;
  readonly isCut: boolean;
}

interface Room {
  /** The most lines. */
  readonly limit: number;
  /** The file's length: nothing behind it is read. */
  readonly size: number;
  /** Whether a last line without a newline counts: its writer has ended. */
  readonly isOver: boolean;
}

/** The lines from an offset on: as many as fit in `PAGE` bytes, at least one. */
export async function linesFrom(
  file: FileHandle,
  offset: number,
  { limit, size, isOver }: Room,
): Promise<FileLine[]> {
  const from = await lineStart(file, offset, size);
  if (from >= size) return [];
  const bytes = await readAt(file, from, Math.min(PAGE, size - from));
  const lines = split(bytes, from, limit);
  const rest = lines.at(-1)?.end ?? from;
  const isAll = from + bytes.length >= size;
  if (lines.length > 0 && (lines.length === limit || !isAll)) return lines;
  if (rest >= size) return lines;
  const newline = isAll ? undefined : await newlineFrom(file, from + bytes.length, size);
  if (newline === undefined && !isOver) return lines;
  return [...lines, await lineBetween(file, rest, newline === undefined ? size : newline + 1)];
}

/** The lines before an offset at which a line begins, the first one first. */
export async function linesBefore(
  file: FileHandle,
  before: number,
  { limit }: Pick<Room, "limit">,
): Promise<FileLine[]> {
  if (before <= 0) return [];
  const from = Math.max(0, before - PAGE);
  const bytes = await readAt(file, from, before - from);
  // The first line in it may have begun earlier.
  const isWhole = from === 0 || (await readAt(file, from - 1, 1))[0] === NEWLINE;
  const lines = splitEnd(bytes, from, { limit, isWhole });
  if (lines.length > 0 || bytes.length === 0) return lines;
  return [await lineBetween(file, (await newlineBefore(file, before - 1)) + 1, before)];
}

/** Where the last line ends; without its newline only if its writer has ended. */
export async function lastLineEnd(file: FileHandle, { size, isOver }: Omit<Room, "limit">): Promise<number> {
  return isOver ? size : (await newlineBefore(file, size)) + 1;
}

/** The start of the line at an offset: the offset itself, or the next line's if it is inside one. */
async function lineStart(file: FileHandle, offset: number, size: number): Promise<number> {
  if (offset <= 0) return 0;
  if ((await readAt(file, offset - 1, 1))[0] === NEWLINE) return offset;
  const newline = await newlineFrom(file, offset, size);
  return newline === undefined ? size : newline + 1;
}

/** The first lines that have a newline. */
function split(bytes: Buffer, from: number, limit: number): FileLine[] {
  const lines: FileLine[] = [];
  for (let at = 0; lines.length < limit; ) {
    const newline = bytes.indexOf(NEWLINE, at);
    if (newline < 0) break;
    lines.push(toLine(bytes.subarray(at, newline + 1), from + at));
    at = newline + 1;
  }
  return lines;
}

/** The last lines, with or without a newline. @param isWhole whether the first byte begins a line */
function splitEnd(
  bytes: Buffer,
  from: number,
  { limit, isWhole }: { readonly limit: number; readonly isWhole: boolean },
): FileLine[] {
  const lines: FileLine[] = [];
  for (let end = bytes.length; end > 0 && lines.length < limit; ) {
    const newline = end < 2 ? -1 : bytes.lastIndexOf(NEWLINE, end - 2);
    if (newline < 0 && !isWhole) break;
    lines.push(toLine(bytes.subarray(newline + 1, end), from + newline + 1));
    end = newline + 1;
  }
  return lines.reverse();
}

function toLine(bytes: Buffer, at: number): FileLine {
  const text = bytes.toString("utf8").replace(/\r?\n$/, "");
  return { at, end: at + bytes.length, text, isCut: false };
}

async function lineBetween(file: FileHandle, at: number, end: number): Promise<FileLine> {
  const bytes = await readAt(file, at, Math.min(LINE_LIMIT, end - at));
  return { ...toLine(bytes, at), end, isCut: end - at > LINE_LIMIT };
}

async function newlineFrom(file: FileHandle, at: number, size: number): Promise<number | undefined> {
  for (let from = at; from < size; from += PIECE) {
    const found = (await readAt(file, from, Math.min(PIECE, size - from))).indexOf(NEWLINE);
    if (found >= 0) return from + found;
  }
  return undefined;
}

/** -1 if there is none. */
async function newlineBefore(file: FileHandle, before: number): Promise<number> {
  for (let end = before; end > 0; end -= PIECE) {
    const from = Math.max(0, end - PIECE);
    const found = (await readAt(file, from, end - from)).lastIndexOf(NEWLINE);
    if (found >= 0) return from + found;
  }
  return -1;
}

/** Fewer bytes at the end of the file. */
async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, length));
  let read = 0;
  while (read < bytes.length) {
    const { bytesRead } = await file.read(bytes, read, bytes.length - read, at + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
}

const NEWLINE = 10;
/** In bytes. */
const PAGE = 256 * 1024;
/** A driver cuts longer lines. */
const LINE_LIMIT = 8 * 1024 * 1024;
const PIECE = 1024 * 1024;
