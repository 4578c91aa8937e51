import { visible } from "../../lib/visible.ts";
import { type GateSyntaxCode, GateSyntaxError } from "./gate-syntax-error.ts";

/** Reads a gate line from left to right, consuming what it returns. */
export class Scanner {
  readonly text: string;
  #at = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The index of the next character, in UTF-16 units; never decreases. */
  get at(): number {
    return this.#at;
  }

  get atEnd(): boolean {
    return this.#at === this.text.length;
  }

  /** Consumes `token` if it is next. */
  take(token: string): boolean {
    const there = this.text.startsWith(token, this.#at);
    if (there) this.#at += token.length;
    return there;
  }

  /** Consumes the match of a sticky pattern here; undefined without a match. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  skipBlanks(): void {
    this.match(/\s*/uy);
  }

  /** Whether the next `::`, or the end, is here. */
  get atClauseEnd(): boolean {
    return this.atEnd || this.text.startsWith("::", this.#at);
  }

  /** The next word for messages: a word, a blank or the end. */
  get found(): string {
    const [word] = /^\S+/u.exec(this.text.slice(this.#at)) ?? [];
    return word === undefined ? (this.atEnd ? "the end" : "a space") : show(word);
  }

  /**
   * @param at the start of the text @throws GateSyntaxError `too_long`: it has more UTF-16 units
   * than `limit`
   */
  checkLength(what: string, text: string, limit: number, at: number): void {
    if (text.length <= limit) return;
    const is = `The ${what} has ${text.length} characters`;
    throw this.wrong("too_long", `${is}; the limit is ${limit}.`, at);
  }

  /** The error to throw; `at` is here, unless an earlier character was at fault. */
  wrong(code: GateSyntaxCode, explanation: string, at = this.#at): GateSyntaxError {
    return new GateSyntaxError(code, this.text, at, explanation);
  }
}

/** A part of the line, quoted in a sentence. */
export function show(piece: string): string {
  const characters = [...piece];
  return `\`${visible(characters.slice(0, SHOWN).join(""))}${characters.length > SHOWN ? "…" : ""}\``;
}

const SHOWN = 40;
