import type { OutputEntry } from "./loaded.ts";

/** A row of the list: an entry, or several that are one text in pieces. */
export interface OutputRow {
  /** Changes when the row grows. */
  readonly key: string;
  readonly entry: OutputEntry;
}

/** The rows of entries: pieces of one message are joined. */
export function rowsOf(entries: readonly OutputEntry[]): OutputRow[] {
  const rows: OutputRow[] = [];
  let pieces = 1;
  for (const entry of entries) {
    const before = rows.at(-1);
    const isPiece = entry.continues && before?.entry.kind === entry.kind && before.entry.continues;
    if (before && isPiece) {
      pieces += 1;
      const { at, nth, text } = before.entry;
      rows[rows.length - 1] = {
        key: `${at}.${nth}+${pieces}`,
        entry: { ...before.entry, text: text + entry.text },
      };
    } else {
      pieces = 1;
      rows.push({ key: `${entry.at}.${entry.nth}`, entry });
    }
  }
  return rows;
}
