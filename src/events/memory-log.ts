import { Observable, Subject } from "rxjs";
import type { Environment } from "../lib/environment.ts";
import { LogError } from "../lib/log-error.ts";
import { type LogState, planAppend, prepareAppend } from "./append.ts";
import { auditRecords } from "./audit-records.ts";
import { decodeEvent } from "./encoding.ts";
import type { EventRecord } from "./event-record.ts";
import { payloadHash } from "./leaf-hash.ts";
import { type EventLog, pageSize } from "./log.ts";
import { redactionIn, withKept } from "./redaction/redact.ts";
import { checkRecords, planRestore } from "./restore.ts";

/** An event log that lives as long as its process: for tests, time travel and what-if. */
export function openMemoryLog(environment: Environment): EventLog {
  const records: EventRecord[] = [];
  const byId = new Map<string, EventRecord>();
  const streams = new Map<string, EventRecord[]>();
  /** Redacted position → the position of its redaction. */
  const redactions = new Map<number, number>();
  const appends = new Subject<void>();
  let open = true;

  const state: LogState = {
    last: () => records.at(-1),
    find: (id) => read(byId.get(id)),
    at: (position) => read(records[position - 1]),
    streamVersion: (stream) => streams.get(stream)?.length ?? 0,
  };

  function insert(record: EventRecord): void {
    records.push(record);
    byId.set(record.id, record);
    const stream = streams.get(record.stream);
    if (stream) stream.push(record);
    else streams.set(record.stream, [record]);
    const redaction = redactionIn(record);
    if (redaction) remove(redaction.payload.position, record.position);
  }

  function remove(position: number, by: number): void {
    redactions.set(position, by);
    const record = records[position - 1];
    if (!record) return;
    const bare = { ...record, payload: "", salt: Buffer.alloc(0) };
    records[position - 1] = bare;
    byId.set(bare.id, bare);
    const stream = streams.get(bare.stream);
    if (stream) stream[bare.streamVersion - 1] = bare;
  }

  /**
   * A record as readers get it: a redacted one carries the part of its payload that the redaction
   * kept.
   */
  function read<Found extends EventRecord | undefined>(record: Found): Found | EventRecord {
    const by = record && redactions.get(record.position);
    const redaction = by === undefined ? undefined : state.at(by);
    const event = redaction && redactionIn(redaction);
    return record && event ? withKept(record, event) : record;
  }

  const decode = (record: EventRecord) => decodeEvent(read(record));

  function checkOpen(): void {
    if (!open) throw new LogError("closed", "This log is closed; open it again.");
  }

  const log: EventLog = {
    async append(events, condition = {}) {
      checkOpen();
      const request = prepareAppend(events, condition, environment);
      const { insert: planned, appended } = planAppend(request, state, environment);
      planned.forEach(insert);
      appends.next();
      return appended;
    },
    async restore(restored) {
      checkOpen();
      checkRecords(restored);
      const missing = planRestore(restored, state);
      missing.forEach(insert);
      appends.next();
      return missing.length;
    },
    async read(after, limit) {
      checkOpen();
      return pageOf(records, after, limit).map(decode);
    },
    async readStream(stream, afterVersion, limit) {
      checkOpen();
      return pageOf(streams.get(stream) ?? [], afterVersion, limit).map(decode);
    },
    async positionsIn(names, from, to) {
      checkOpen();
      const positions = [...new Set(names)]
        .flatMap((name) => streams.get(name) ?? [])
        .map(({ position }) => position);
      return positions.filter((position) => position >= from && position <= to).sort((a, b) => a - b);
    },
    async recordedBy() {
      checkOpen();
      return new Map();
    },
    async find(id) {
      checkOpen();
      const record = byId.get(id);
      return record && decode(record);
    },
    async payloadHash(position) {
      checkOpen();
      const record = state.at(position);
      return record && payloadHash(record).toString("hex");
    },
    async records(after, limit) {
      checkOpen();
      return pageOf(records, after, limit).map((record) => read(record));
    },
    async identity() {
      checkOpen();
      return { log: records[0]?.id, epoch: 0 };
    },
    async audit(work) {
      checkOpen();
      return auditRecords(log, work);
    },
    async head() {
      checkOpen();
      return records.length;
    },
    async streamVersion(stream) {
      checkOpen();
      return state.streamVersion(stream);
    },
    follow(after) {
      return new Observable((subscriber) => {
        let seen = after;
        let giving = false;
        const catchUp = () => {
          // A follower that appends on seeing an event gets the new one after this batch, not in
          // the middle of it.
          if (giving) return;
          giving = true;
          while (seen < records.length && !subscriber.closed) {
            const batch = records.slice(seen, seen + 1_000);
            seen += batch.length;
            subscriber.next(batch.map(decode));
          }
          giving = false;
        };
        const subscription = appends.subscribe({ next: catchUp, complete: () => subscriber.complete() });
        // Closing the log completed the subscriber: nothing more is emitted.
        catchUp();
        return subscription;
      });
    },
    async close() {
      open = false;
      appends.complete();
    },
  };
  return log;
}

function pageOf(records: readonly EventRecord[], after: number, limit: number): readonly EventRecord[] {
  const from = Math.max(after, 0);
  return records.slice(from, from + pageSize(limit));
}
