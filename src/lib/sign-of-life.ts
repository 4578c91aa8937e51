import { randomUUID } from "node:crypto";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { contentOf, writeWhole } from "./write-whole.ts";

/**
 * A heartbeat file of one of several processes: its name, and a counter. Readers compare their own
 * successive reads, so no clock is needed, and a stopped or hanging process counts as silent.
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

  /** Whether another process's heartbeat is missing, or unchanged for several checks. */
  isOthersSilent(): boolean {
    const sign = contentOf(this.#path);
    this.#sameLooks = sign === this.#seen ? this.#sameLooks + 1 : 0;
    this.#seen = sign;
    return sign === undefined || this.#sameLooks >= SILENT_LOOKS;
  }

  /** Replaces any heartbeat by this process's. @returns false if the file cannot be written */
  beginOwn(): boolean {
    try {
      writeWhole(this.#path, this.#next());
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Beats. @returns false if another process has put its own in its place, or the file cannot be
   * written
   */
  beat(): boolean {
    if (!this.#isOwn()) return false;
    try {
      // Overwritten in place: a new file would be flushed to disk each time.
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

/** The number of unchanged reads after which a process counts as silent. */
const SILENT_LOOKS = 2;
