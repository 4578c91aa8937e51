import { openForReading } from "../events/sqlite-file.ts";
import { type LogReader, prepareReader } from "../events/sqlite-records.ts";
import { headerLine, recordLine } from "./log-line.ts";

const PAGE = 1_000;

/** A log that is being exported. */
export interface LogExport {
  /** The position of the last event that goes out. */
  readonly head: number;
  /** Its text, a page of lines at a time; the log is closed behind the last. */
  readonly text: Iterable<string>;
}

/**
 * A log as text: a header, then a line for each event that there is now. Others may append meanwhile. Each event is
 * compared with its leaf hash; the log is opened for reading only.
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
