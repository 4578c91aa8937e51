import { visible } from "../../events/visible.ts";
import { type GateSyntaxCode, GateSyntaxError } from "./gate-syntax-error.ts";

/** Reads a gate line from left to right. What it gives was taken from the text, and is not seen again. */
export class Scanner {
  readonly text: string;
  #at = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Where the next character is, in UTF-16 units; never goes back. */
  get at(): number {
    return this.#at;
  }

  get atEnd(): boolean {
    return this.#at === this.text.length;
  }

  /** Takes `token` if it is next. */
  take(token: string): boolean {
    const there = this.text.startsWith(token, this.#at);
    if (there) this.#at += token.length;
    return there;
  }

  /** Takes what the pattern, a sticky one, matches here; undefined, and nothing is taken, if it does not. */
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

  /** What is next, as messages show it: a word, a blank or the end. */
  get found(): string {
    const [word] = /^\S+/u.exec(this.text.slice(this.#at)) ?? [];
    return word === undefined ? (this.atEnd ? "the end" : "a space") : show(word);
  }

  /** @param at where the text begins @throws GateSyntaxError `too_long`: it has more UTF-16 units than `limit` */
  checkLength(what: string, text: string, limit: number, at: number): void {
    if (text.length <= limit) return;
    const is = `The ${what} has ${text.length} characters`;
    throw this.wrong("too_long", `${is}; the limit is ${limit}.`, at);
  }

  /** The error to throw; `at` is here, unless something before was wrong. */
  wrong(code: GateSyntaxCode, explanation: string, at = this.#at): GateSyntaxError {
    return new GateSyntaxError(code, this.text, at, explanation);
  }
}

/** A piece of the line within a sentence. */
export function show(piece: string): string {
  const characters = [...piece];
  return `\`${visible(characters.slice(0, SHOWN).join(""))}${characters.length > SHOWN ? "…" : ""}\``;
}

const SHOWN = 40;
