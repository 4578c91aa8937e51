import { ExchangeError } from "./exchange-error.ts";

/** A line of a text file, and its number, the first is 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/**
 * The longest accepted line, in bytes: far more than the largest event, and far less than memory.
 */
const LINE_LIMIT_BYTES = 64 * 1024 * 1024;

const NEWLINE = 0x0a;

/**
 * Streams the non-blank lines of a file in constant memory.
 *
 * @throws ExchangeError `malformed`: a line that is too long, or is not UTF-8
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  limit_bytes = LINE_LIMIT_BYTES,
): AsyncGenerator<Line> {
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  let parts: Uint8Array[] = [];
  let length = 0;
  let number = 1;
  const add = (part: Uint8Array) => {
    length += part.length;
    if (length > limit_bytes) {
      throw new ExchangeError("malformed", `Line ${number} is longer than ${limit_bytes} bytes.`);
    }
    parts.push(part);
  };
  const take = (): Line => {
    try {
      return { number: number++, text: utf8.decode(Buffer.concat(parts)) };
    } catch {
      throw new ExchangeError("malformed", `Line ${number - 1} is not UTF-8 text.`);
    } finally {
      parts = [];
      length = 0;
    }
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      start = end + 1;
      const line = take();
      if (line.text.trim() !== "") yield line;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  if (length === 0) return;
  const line = take();
  if (line.text.trim() !== "") yield line;
}

/** The JSON value of a line. @throws ExchangeError `malformed` */
export function parseLine({ number, text }: Line): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ExchangeError("malformed", `Line ${number} is not JSON (${messageOf(cause)}).`, { cause });
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message.slice(0, 100) : String(cause);
}
