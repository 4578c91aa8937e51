import type { Connection, Row } from "./connection.ts";
import {
  decodeEvent,
  decodeFields,
  type Event,
  type EventRecord,
  exactToIsoTime,
  type LeafFields,
  LogError,
  leafHash,
  leafHashInHex,
  redactionIn,
  toIsoTime,
  withKept,
} from "./core.ts";

/** The columns of a record, as `toRecords` and `toEvents` take them. */
export const COLUMNS = `e.position, e.id, e.stream, e.stream_version, e.type, e.schema_version, e.payload, e.salt, e.recorded_us, e.actor,
  e.causation, e.correlation, e.leaf_hash, e.redacted_by`;

/** Places in a row. */
const [ID, STREAM_VERSION, PAYLOAD, SALT, RECORDED_US, LEAF_HASH, REDACTED_BY] = [
  1, 3, 6, 7, 8, 12, 13,
] as const;
const CAUSATION = 10;
const CORRELATION = 11;

/**
 * Records of rows with COLUMNS, with what their redactions kept.
 *
 * @throws LogError `damaged`: a stored event differs from the appended one
 */
export async function toRecords(rows: readonly Row[], connection: Connection): Promise<EventRecord[]> {
  const redactions = await redactionsOf(rows, connection);
  return rows.map((row) => toRecord(row, redactions));
}

/** The same, decoded to events. */
export async function toEvents(rows: readonly Row[], connection: Connection): Promise<Event[]> {
  const redactions = await redactionsOf(rows, connection);
  return rows.map((row) => {
    const payload = row[PAYLOAD];
    if (payload === null || payload === undefined) return decodeEvent(toRecord(row, redactions));
    const fields = fieldsOf(row);
    const hash = hex(row[LEAF_HASH]);
    if (leafHashInHex(fields, hex(row[SALT]), payload) !== hash) throw notAsAppended(row);
    return decodeFields(fields, payload, hash);
  });
}

/**
 * Consecutive rows have consecutive numbers, up to the expected end.
 *
 * @param number the place of the position, or of the stream's version
 */
export function checkWhole(
  rows: readonly Row[],
  number: 0 | typeof STREAM_VERSION,
  after: number,
  end: number,
): void {
  const from = Math.max(after, 0);
  const wrong = rows.findIndex((row, index) => Number(row[number]) !== from + index + 1);
  if (wrong < 0 && from + rows.length >= end) return;
  const name = number === 0 ? "position" : "stream_version";
  throw new LogError("damaged", `${name} ${from + (wrong < 0 ? rows.length : wrong) + 1} is missing`);
}

/**
 * The rows that redacted these rows, and the rows that redacted those, by position: what an event keeps stands in its redaction,
 * and what that keeps in its own.
 */
async function redactionsOf(rows: readonly Row[], connection: Connection): Promise<ReadonlyMap<string, Row>> {
  const found = new Map<string, Row>();
  for (let without = rows; ; ) {
    const wanted = without
      .flatMap((row) => row[REDACTED_BY] ?? [])
      .filter((position) => !found.has(position));
    if (wanted.length === 0) return found;
    const { rows: next } = await connection.query(
      `SELECT ${COLUMNS} FROM ${connection.schema}.events e WHERE position = ANY ($1)`,
      [[...new Set(wanted)]],
    );
    for (const row of next) found.set(row[0] ?? "", row);
    if (next.length === 0) return found;
    without = next;
  }
}

function toRecord(row: Row, redactions: ReadonlyMap<string, Row>): EventRecord {
  try {
    const record = fromRow(row, redactions);
    if (leafHash(record).equals(record.leafHash)) return record;
  } catch {
    // The redaction of an event without payload is damaged itself.
  }
  throw notAsAppended(row);
}

function fromRow(row: Row, redactions: ReadonlyMap<string, Row>): EventRecord {
  const envelope = { ...fieldsOf(row), leafHash: Buffer.from(hex(row[LEAF_HASH]), "hex") };
  const payload = row[PAYLOAD];
  if (payload !== null && payload !== undefined)
    return { ...envelope, payload, salt: Buffer.from(hex(row[SALT]), "hex") };
  const by = redactions.get(row[REDACTED_BY] ?? "");
  const redaction = by && redactionIn(toRecord(by, redactions));
  if (!redaction) throw new LogError("damaged", `the payload at position ${row[0]} is missing`);
  return withKept(envelope, redaction);
}

function fieldsOf(row: Row): LeafFields {
  const [position, , stream, , type, schemaVersion, , , , actor] = row;
  const us = row[RECORDED_US] ?? "";
  return {
    position: Number(position),
    id: row[ID] ?? "",
    stream: stream ?? "",
    streamVersion: Number(row[STREAM_VERSION]),
    type: type ?? "",
    schemaVersion: Number(schemaVersion),
    recordedAt: us.length < EXACT_DIGITS ? toIsoTime(Number(us)) : exactToIsoTime(BigInt(us)),
    actor: actor ?? "",
    causation: row[CAUSATION] ?? undefined,
    correlation: row[CORRELATION] ?? undefined,
  };
}

/** Numbers of fewer digits are exact. */
const EXACT_DIGITS = 16;

/** Of bytes as PostgreSQL writes them: `\x00ff`. */
function hex(bytes: string | null | undefined): string {
  return bytes?.slice(2) ?? "";
}

function notAsAppended([position]: Row): LogError {
  return new LogError("damaged", `the event at position ${position} was changed after it was appended`);
}
