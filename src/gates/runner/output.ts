import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { type KeptOutput, OUTPUT_LIMIT } from "../../events/types/command-result.ts";
import { visible } from "../../lib/visible.ts";

/** The size of a command's output so far, on both streams together. */
export interface Progress {
  readonly bytes: number;
  readonly lines: number;
  readonly elapsed_ms: number;
}

/**
 * Reads a command's outputs as they arrive.
 *
 * @returns a keeper for each; `failed` is aborted with the error of `onProgress` or of reading
 */
export function keepOutputs(
  outputs: { readonly stdout: Readable; readonly stderr: Readable },
  began_ms: number,
  onProgress: ((progress: Progress) => void) | undefined,
): { readonly stdout: OutputKeeper; readonly stderr: OutputKeeper; readonly failed: AbortSignal } {
  const stdout = new OutputKeeper();
  const stderr = new OutputKeeper();
  const failure = new AbortController();
  const read = (output: Readable, keeper: OutputKeeper) => {
    output.on("error", (error) => failure.abort(error));
    output.on("data", (piece: Buffer) => {
      keeper.add(piece);
      if (failure.signal.aborted) return;
      try {
        onProgress?.({
          bytes: stdout.bytes + stderr.bytes,
          lines: stdout.lines + stderr.lines,
          elapsed_ms: Math.round(performance.now() - began_ms),
        });
      } catch (error) {
        failure.abort(error);
      }
    });
  };
  read(outputs.stdout, stdout);
  read(outputs.stderr, stderr);
  return { stdout, stderr, failed: failure.signal };
}

/** Consumes an output and stores its beginning, end, hash and counts in constant memory. */
class OutputKeeper {
  bytes = 0;
  /** Newlines so far. */
  lines = 0;
  readonly #hash = createHash("sha256");
  // Not fatal: invalid UTF-8 becomes U+FFFD (WHATWG). A byte order mark stays, since it is shown.
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** The first characters, as they came. */
  #head: string[] = [];
  /** The end of the rest, untrimmed; cut to twice the limit when it is longer than `TAIL_SLACK` allows. */
  #tail = "";
  #characters = 0;
  #replacements = 0;
  /** U+FFFD printed by the command itself. */
  readonly #genuine = sequenceCounter(REPLACEMENT);

  add(piece: Uint8Array): void {
    this.bytes += piece.length;
    this.#hash.update(piece);
    for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, at + 1)) this.lines += 1;
    this.#genuine.add(piece);
    this.#keep(this.#decoder.decode(piece, { stream: true }));
  }

  /** The stored parts, once the output has ended; call it once. */
  end(): KeptOutput {
    this.#keep(this.#decoder.decode());
    const head = shownFromStart(this.#head, OUTPUT_LIMIT);
    // The visible text is longer than the original if it contains escapes.
    const tail = shownFromEnd([...this.#head.slice(head.count), ...this.#tail], OUTPUT_LIMIT);
    return {
      head: head.text,
      tail: tail.text,
      omitted_characters: this.#characters - head.count - tail.count,
      invalid_sequences: this.#replacements - this.#genuine.count,
      bytes: this.bytes,
      sha256: this.#hash.digest("hex"),
    };
  }

  #keep(text: string): void {
    // A decoder emits whole characters, so surrogate pairs are never split.
    this.#characters += text.length - count(text, /[\ud800-\udbff]/g);
    this.#replacements += count(text, /\ufffd/g);
    let rest = text;
    if (this.#head.length < OUTPUT_LIMIT) {
      const characters = [...text];
      const room = OUTPUT_LIMIT - this.#head.length;
      this.#head.push(...characters.slice(0, room));
      rest = characters.slice(room).join("");
    }
    this.#tail += rest;
    if (this.#tail.length > TAIL_SLACK) this.#tail = lastCharacters(this.#tail, 2 * OUTPUT_LIMIT);
  }
}

const NEWLINE = 0x0a;
/** U+FFFD in UTF-8. */
const REPLACEMENT = [0xef, 0xbf, 0xbd];
/** Every character is one or two UTF-16 units. */
const TAIL_SLACK = 16 * OUTPUT_LIMIT;

/**
 * The last units of a text, without half of a surrogate pair. A copy, so that the whole text can be
 * freed.
 */
function lastCharacters(text: string, units: number): string {
  const last = Buffer.from(text.slice(-units), "utf16le").toString("utf16le");
  return /^[\udc00-\udfff]/.test(last) ? last.slice(1) : last;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Counts a byte sequence across chunks. Its first byte must not occur again in it. */
function sequenceCounter(sequence: readonly number[]): {
  readonly count: number;
  add(piece: Uint8Array): void;
} {
  const bytes = Buffer.from(sequence);
  let found = 0;
  let before = Buffer.alloc(0);
  return {
    get count() {
      return found;
    },
    add(piece) {
      const all = Buffer.concat([before, piece]);
      for (let at = all.indexOf(bytes); at !== -1; at = all.indexOf(bytes, at + bytes.length)) found += 1;
      before = Buffer.from(all.subarray(Math.max(0, all.length - bytes.length + 1)));
    },
  };
}

/**
 * The longest beginning of the visible text that fits `limit` UTF-16 units, without cutting an
 * escape.
 */
function shownFromStart(characters: readonly string[], limit: number): { text: string; count: number } {
  let text = "";
  let count = 0;
  for (const character of characters) {
    const shown = shownCharacter(character);
    if (text.length + shown.length > limit) break;
    text += shown;
    count += 1;
  }
  return { text, count };
}

/** The longest end, in the same way. */
function shownFromEnd(characters: readonly string[], limit: number): { text: string; count: number } {
  const shown: string[] = [];
  let length = 0;
  for (const character of [...characters].reverse()) {
    const next = shownCharacter(character);
    length += next.length;
    if (length > limit) break;
    shown.push(next);
  }
  return { text: shown.reverse().join(""), count: shown.length };
}

function shownCharacter(character: string): string {
  return character === "\n" || character === "\t" ? character : visible(character);
}
