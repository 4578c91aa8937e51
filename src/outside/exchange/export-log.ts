import type { EventLog } from "../../events/log.ts";
import { recordPages } from "../../events/record-pages.ts";
import { headerLine, recordLine } from "./log-line.ts";

/** An export in progress. */
export interface LogExport {
  /** The position of the last exported event. */
  readonly head: number;
  /** Its text, a page of lines at a time. */
  readonly text: AsyncIterable<string>;
}

/**
 * Exports a log as text: a header, then a line for each current event, while others may append.
 * Verifies each event's leaf hash; writes nothing.
 *
 * @throws LogError `disk`, `damaged`, `newer_schema`: here, or while the text is read
 */
export async function exportLog(log: Pick<EventLog, "head" | "records">): Promise<LogExport> {
  const head = await log.head();
  return { head, text: textOf(log, head) };
}

async function* textOf(log: Pick<EventLog, "records">, head: number): AsyncGenerator<string> {
  yield `${headerLine(head)}\n`;
  for await (const records of recordPages(log, head)) {
    yield records.map((record) => `${recordLine(record)}\n`).join("");
  }
}
