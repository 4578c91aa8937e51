import { openForReading } from "../events/sqlite-file.ts";
import { prepareReader } from "../events/sqlite-records.ts";
import { headerLine, recordLine } from "./log-line.ts";

const PAGE = 1_000;

/**
 * A log as text, a page of lines at a time: a header, then a line for each event that there is at the beginning. Others
 * may append meanwhile. Each event is compared with its leaf hash; the log is opened for reading only.
 *
 * @throws LogError `disk`, `damaged`, `newer_schema`
 */
export function* exportLog(path: string): Generator<string> {
  const reader = prepareReader(openForReading(path));
  try {
    const head = reader.head();
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
