import { idToBytes } from "../lib/ids.ts";
import type { AuditedLog, RawRow } from "./audit.ts";
import type { EventRecord } from "./event-record.ts";
import type { EventLog } from "./log.ts";
import { recordPages } from "./record-pages.ts";

/** `EventLog.audit` of a log that stores nothing but its records: it has neither tables nor indexes that could be wrong. */
export async function auditRecords<T>(
  log: Pick<EventLog, "head" | "records">,
  work: (log: AuditedLog) => Promise<T>,
): Promise<T> {
  const head = await log.head();
  async function* rows(): AsyncGenerator<readonly RawRow[]> {
    for await (const page of recordPages(log, head)) yield page.map(rowOf);
  }
  async function row(position: number): Promise<RawRow | undefined> {
    const [record] = position > head ? [] : await log.records(position - 1, 1);
    return record && rowOf(record);
  }
  return work({
    newer: undefined,
    lowest: async () => (head === 0 ? undefined : 1),
    head: async () => head,
    rows,
    async *leaves(after, last) {
      for await (const page of rows()) {
        const wanted = page.filter(({ position }) => position > after && position <= last);
        if (wanted.length > 0) yield wanted;
      }
    },
    row,
    async positionsOf(type) {
      const positions: number[] = [];
      for await (const page of rows()) {
        positions.push(...page.filter((one) => one.type === type).map(({ position }) => position));
      }
      return positions;
    },
    streams: async () => [],
    schemaFault: async () => undefined,
    indexed: async () => ({ last: head, count: head }),
    doubledId: async () => undefined,
    fault: async () => undefined,
  });
}

function rowOf(record: EventRecord): RawRow {
  const { redaction } = record;
  return {
    position: record.position,
    id: idToBytes(record.id),
    stream: record.stream,
    stream_version: record.streamVersion,
    type: record.type,
    schema_version: record.schemaVersion,
    payload: redaction ? null : record.payload,
    salt: redaction ? null : record.salt,
    recorded_at: record.recordedAt,
    actor: record.actor,
    causation: record.causation === undefined ? null : idToBytes(record.causation),
    correlation: record.correlation ?? null,
    leaf_hash: record.leafHash,
    payload_hash: redaction?.payloadHash ?? null,
  };
}
