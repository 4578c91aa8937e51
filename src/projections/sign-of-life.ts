import { randomUUID } from "node:crypto";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { contentOf, writeWhole } from "../lib/write-whole.ts";

/**
 * A file by which one of several processes shows that it lives: its name, and a number that counts up. Whether it does is told by
 * looks of one's own alone, so that no clock is asked, and one that is stopped or hangs counts as silent.
 */
export class SignOfLife {
  readonly #path: string;
  readonly #name = `${process.pid} ${randomUUID()}`;
  #beats = 0;
  #seen: string | undefined;
  #sameLooks = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Whether there is no sign of another process, or the same one now as at some looks before. */
  isOthersSilent(): boolean {
    const sign = contentOf(this.#path);
    this.#sameLooks = sign === this.#seen ? this.#sameLooks + 1 : 0;
    this.#seen = sign;
    return sign === undefined || this.#sameLooks >= SILENT_LOOKS;
  }

  /** Replaces whatever sign there is by the own one. @returns false where the file cannot be written */
  beginOwn(): boolean {
    try {
      writeWhole(this.#path, this.#next());
      return true;
    } catch {
      return false;
    }
  }

  /** Gives another sign. @returns false where another process has put its own in its place, or nothing can be written */
  beat(): boolean {
    if (!this.#isOwn()) return false;
    try {
      // Written over in place: what is made anew is flushed to the disk each time.
      const file = openSync(this.#path, "r+");
      try {
        writeSync(file, this.#next(), 0);
      } finally {
        closeSync(file);
      }
      return true;
    } catch {
      return false;
    }
  }

  endOwn(): void {
    if (this.#isOwn()) rmSync(this.#path, { force: true });
  }

  #isOwn(): boolean {
    return contentOf(this.#path)?.startsWith(`${this.#name} `) ?? false;
  }

  #next(): string {
    this.#beats += 1;
    return `${this.#name} ${String(this.#beats).padStart(10, "0")}\n`;
  }
}

/** So often a look may find the same sign before its process counts as silent. */
const SILENT_LOOKS = 2;
