import type { RawRow } from "../../events/audit.ts";
import type { EventRecord } from "../../events/event-record.ts";
import { type LeafFields, leafHash, leafHashWithout } from "../../events/leaf-hash.ts";
import { idFromBytes } from "../../lib/ids.ts";

/** A redacted event, without payload and salt: the payload's hash stays. */
export interface BareRecord extends LeafFields {
  readonly payloadHash: Buffer;
  readonly leafHash: Buffer;
}

/** An event as stored in a log's file. */
export type StoredRecord = EventRecord | BareRecord;

/** True for an event whose payload and salt were removed. */
export function isBare(record: StoredRecord): record is BareRecord {
  return "payloadHash" in record;
}

/** Whether an event's stored leaf hash matches its content. */
export function isAsAppended(record: StoredRecord): boolean {
  const leaf = isBare(record) ? leafHashWithout(record, record.payloadHash) : leafHash(record);
  return leaf.equals(record.leafHash);
}

/**
 * Converts a row if each column has a value that a log writes; else describes the fault. Stricter
 * than the leaf hash, which distinguishes neither NULL from an empty text, nor where a salt ends
 * and its payload begins.
 */
export function recordOf(row: RawRow): StoredRecord | string {
  const { id, stream, actor, type, causation, correlation } = row;
  if (!isBytes(id, ID_BYTES)) return "the id is not 16 bytes";
  if (typeof stream !== "string") return "the stream is not in the table streams";
  if (typeof type !== "string") return "the type is not text";
  if (!isCount(row.stream_version)) return "the stream version is not a whole number, 1 or higher";
  if (!isCount(row.schema_version)) return "the schema version is not a whole number, 1 or higher";
  const content = contentOf(row);
  if (typeof content === "string") return content;
  if (typeof row.recorded_at !== "string") return "the time is not text";
  if (typeof actor !== "string") return "the actor is not text";
  if (causation !== null && !isBytes(causation, ID_BYTES)) return "the causation is not 16 bytes";
  if (correlation !== null && (typeof correlation !== "string" || correlation === ""))
    return "the correlation is not text, or empty";
  if (!isBytes(row.leaf_hash, HASH_BYTES)) return "the leaf hash is not 32 bytes";
  try {
    return {
      position: row.position,
      id: idFromBytes(id),
      stream,
      streamVersion: row.stream_version,
      type,
      schemaVersion: row.schema_version,
      ...content,
      recordedAt: row.recorded_at,
      actor,
      causation: causation === null ? undefined : idFromBytes(causation),
      correlation: correlation ?? undefined,
      leafHash: row.leaf_hash,
    };
  } catch {
    return "the id or the causation is not a UUID";
  }
}

function contentOf({
  payload,
  salt,
  payload_hash,
}: RawRow): Pick<EventRecord, "payload" | "salt"> | Pick<BareRecord, "payloadHash"> | string {
  if (payload === null && salt === null && payload_hash !== null) {
    return isBytes(payload_hash, HASH_BYTES)
      ? { payloadHash: payload_hash }
      : "the payload hash is not 32 bytes";
  }
  if (typeof payload !== "string") return "the payload is missing, or not text";
  if (!isBytes(salt, SALT_BYTES)) return "the salt is not 16 bytes";
  return payload_hash === null ? { payload, salt } : "there is a payload hash beside the payload";
}

const ID_BYTES = 16;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

function isBytes(value: unknown, length: number): value is Buffer {
  return Buffer.isBuffer(value) && value.length === length;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
}
