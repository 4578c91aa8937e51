/** What the painter draws on: a terminal, or what stands for one. */
export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  write(text: string): boolean;
}

/** A whole screen, its lines as they are written, top to bottom. */
export interface Frame {
  readonly lines: readonly string[];
  /** Where the cursor blinks, both from 0; absent: it is hidden. */
  readonly cursor?: { readonly row: number; readonly column: number } | undefined;
}

/**
 * Draws frames on the alternate screen, so that what was on the terminal comes back afterwards. A frame is one write,
 * of the lines that changed; one that changes nothing writes nothing.
 */
export class Painter {
  readonly #terminal: Terminal;
  #shown: readonly string[] = [];
  #size = "";
  #cursor = "";
  #open = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  open(): void {
    if (this.#open) return;
    this.#open = true;
    this.#size = "";
    this.#terminal.write(ENTER);
  }

  paint(frame: Frame): void {
    if (!this.#open) return;
    const { columns, rows } = this.#terminal;
    const size = `${columns}x${rows}`;
    const anew = size !== this.#size;
    if (anew) this.#shown = [];
    const lines = Array.from({ length: rows }, (_, row) => frame.lines[row] ?? "");
    const changed = lines
      // A line is cleared before it is written: what clears behind a full line takes its last character along.
      .map((line, row) => (line === (this.#shown[row] ?? "") ? "" : `${to(row, 0)}${CLEAR_LINE}${line}`))
      .join("");
    const cursor = frame.cursor ? `${to(frame.cursor.row, frame.cursor.column)}${SHOW_CURSOR}` : HIDE_CURSOR;
    if (!anew && changed === "" && cursor === this.#cursor) return;
    this.#shown = lines;
    this.#size = size;
    this.#cursor = cursor;
    this.#terminal.write(`${BEGIN}${HIDE_CURSOR}${anew ? CLEAR_SCREEN : ""}${changed}${cursor}${END}`);
  }

  /** Draws the next frame as if nothing were on the screen. */
  forget(): void {
    this.#size = "";
  }

  /** Gives the terminal back as it was. May be called again. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#terminal.write(LEAVE);
  }
}

const to = (row: number, column: number) => `\u001b[${row + 1};${column + 1}H`;
const CLEAR_LINE = "\u001b[2K";
const CLEAR_SCREEN = "\u001b[0m\u001b[2J";
const SHOW_CURSOR = "\u001b[?25h";
const HIDE_CURSOR = "\u001b[?25l";
/** Synchronised update: the terminal shows the frame at once. One that does not know it passes over it. */
const BEGIN = "\u001b[?2026h";
const END = "\u001b[?2026l";
/** Alternate screen, no cursor, no wrapping, and a paste marked as one. */
const ENTER = `\u001b[?1049h${HIDE_CURSOR}\u001b[?7l\u001b[?2004h`;
const LEAVE = `${END}\u001b[?2004l\u001b[?7h\u001b[0m${SHOW_CURSOR}\u001b[?1049l`;
