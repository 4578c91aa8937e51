import type { EventRecord } from "./event-record.ts";
import type { EventLog } from "./log.ts";

type Page = readonly EventRecord[];

/**
 * The stored records of a log after a position, page by page, up to another.
 *
 * @param withRedactions also what comes later, up to the last redaction of one of these: others may redact meanwhile
 */
export async function* recordPages(
  log: Pick<EventLog, "records">,
  head: number,
  after = 0,
  withRedactions = false,
): AsyncGenerator<Page> {
  let end = head;
  for (let seen = after; seen < end; ) {
    const page = await log.records(seen, Math.min(PAGE, end - seen));
    if (page.length === 0) return;
    yield page;
    seen += page.length;
    if (withRedactions) end = Math.max(end, lastRedactionIn(page));
  }
}

/** The pages joined where `restore` needs it: it takes an event without payload only together with its redaction. */
export async function* restorable(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  let batch: Page = [];
  let lastRedaction = 0;
  for await (const page of pages) {
    batch = batch.length === 0 ? page : [...batch, ...page];
    lastRedaction = Math.max(lastRedaction, lastRedactionIn(page));
    if ((page.at(-1)?.position ?? 0) < lastRedaction) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * Copies a log into one that is empty, or has a part of it from the beginning on.
 *
 * @param after where an earlier copy ended
 * @returns the head of the copy
 */
export async function copyRecords(
  from: Pick<EventLog, "records" | "head">,
  to: Pick<EventLog, "restore">,
  after = 0,
): Promise<number> {
  let copied = await from.head();
  for await (const batch of restorable(recordPages(from, copied, after, true))) {
    await to.restore(batch);
    copied = Math.max(copied, batch.at(-1)?.position ?? 0);
  }
  return copied;
}

function lastRedactionIn(page: Page): number {
  return Math.max(0, ...page.map(({ redaction }) => redaction?.position ?? 0));
}

const PAGE = 1_000;
