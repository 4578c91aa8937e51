import { StringDecoder } from "node:string_decoder";

/**
 * A key press: a printable character is its own name; others are `enter`, `escape`, `up`, `ctrl-c`, …; `paste` carries
 * the text that came in at once.
 */
export interface Key {
  readonly name: string;
  readonly text?: string;
}

/** Turns what a terminal in raw mode sends, in whatever pieces it comes, into key presses. */
export class KeyReader {
  readonly #decoder = new StringDecoder("utf8");
  #pending = "";

  /** @returns the keys that are complete now; a sequence that is not is kept for the next piece */
  read(bytes: Buffer): readonly Key[] {
    this.#pending += this.#decoder.write(bytes);
    return this.#take();
  }

  /** True while an escape sequence has begun: it may be the Escape key alone. */
  get waiting(): boolean {
    return this.#pending !== "" && !this.#pending.startsWith(PASTE_START);
  }

  /** No more came: a lone escape was the key, the beginning of a sequence is given up. */
  flush(): readonly Key[] {
    if (!this.waiting) return [];
    const alone = this.#pending === ESCAPE;
    this.#pending = "";
    return alone ? [{ name: "escape" }] : [];
  }

  #take(): readonly Key[] {
    const keys: Key[] = [];
    while (this.#pending !== "") {
      const taken = takeOne(this.#pending);
      if (!taken) break;
      this.#pending = this.#pending.slice(taken.length);
      if (taken.key) keys.push(taken.key);
    }
    return keys;
  }
}

const ESCAPE = "\u001b";
const PASTE_START = `${ESCAPE}[200~`;
const PASTE_END = `${ESCAPE}[201~`;
/** A paste is text for one line of input; more than this is not one. */
const PASTE_LIMIT = 100_000;

/** The first key of `input` and how long it is; a sequence that is no key of ours has none; undefined if more must come. */
function takeOne(input: string): { readonly length: number; readonly key?: Key | undefined } | undefined {
  if (input.startsWith(PASTE_START)) return takePaste(input);
  if (input.startsWith(ESCAPE)) return takeSequence(input);
  const character = String.fromCodePoint(input.codePointAt(0) ?? 0);
  return { length: character.length, key: CONTROLS[character] ?? printable(character) };
}

function takePaste(input: string) {
  const end = input.indexOf(PASTE_END);
  if (end >= 0) {
    return {
      length: end + PASTE_END.length,
      key: { name: "paste", text: input.slice(PASTE_START.length, end) },
    };
  }
  return input.length > PASTE_LIMIT ? { length: input.length } : undefined;
}

function takeSequence(input: string) {
  // CSI: parameters, intermediates, one final byte. SS3: one byte. OSC and its like: text up to BEL or ST.
  const complete =
    /^\u001b(?:\[[0-?]*[ -/]*[@-~]|O[\s\S]|[\]P_^X][\s\S]*?(?:\u0007|\u001b\\))/.exec(input)?.[0] ??
    /^\u001b(?=[^[O\]P_^X])/.exec(input)?.[0];
  if (complete === undefined) return undefined;
  if (complete === ESCAPE) return { length: 1, key: { name: "escape" } };
  const name = SEQUENCES[complete.slice(1)];
  return { length: complete.length, key: name === undefined ? undefined : { name } };
}

function printable(character: string): Key | undefined {
  return /\p{Cc}/u.test(character) ? undefined : { name: character };
}

const CONTROLS: Readonly<Record<string, Key>> = {
  "\r": { name: "enter" },
  "\n": { name: "enter" },
  "\t": { name: "tab" },
  "\u007f": { name: "backspace" },
  "\b": { name: "backspace" },
  "\u0003": { name: "ctrl-c" },
  "\u000c": { name: "ctrl-l" },
  "\u0015": { name: "ctrl-u" },
  "\u001a": { name: "ctrl-z" },
};

const SEQUENCES: Readonly<Record<string, string>> = {
  "[A": "up",
  "[B": "down",
  OA: "up",
  OB: "down",
  "[H": "home",
  "[F": "end",
  OH: "home",
  OF: "end",
  "[1~": "home",
  "[4~": "end",
  "[5~": "pageup",
  "[6~": "pagedown",
};
