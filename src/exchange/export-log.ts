import { openForReading } from "../events/sqlite-file.ts";
import { type LogReader, prepareReader } from "../events/sqlite-records.ts";
import { headerLine, recordLine } from "./log-line.ts";

const PAGE = 1_000;

/** An export in progress. */
export interface LogExport {
  /** The position of the last exported event. */
  readonly head: number;
  /** Its text, a page of lines at a time; closes the log after the last. */
  readonly text: Iterable<string>;
}

/**
 * Exports a log as text: a header, then a line for each current event, while others may append.
 * Verifies each event's leaf hash; opens the log read-only.
 *
 * @throws LogError `disk`, `damaged`, `newer_schema`: here, or while the text is read
 */
export function exportLog(path: string): LogExport {
  const reader = prepareReader(openForReading(path));
  const head = reader.head();
  return { head, text: textOf(reader, head) };
}

function* textOf(reader: LogReader, head: number): Generator<string> {
  try {
    yield `${headerLine(head)}\n`;
    for (let after = 0; after < head; ) {
      const records = reader.page(after, Math.min(PAGE, head - after));
      yield records.map((record) => `${recordLine(record)}\n`).join("");
      after += records.length;
    }
  } finally {
    reader.close();
  }
}
