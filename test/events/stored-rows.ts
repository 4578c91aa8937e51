import { createHash } from "node:crypto";
import type Database from "better-sqlite3";

/** A row of the log's table, as it is stored. */
export interface StoredRow {
  readonly position: number;
  readonly id: Buffer;
  readonly stream: string;
  readonly stream_version: number;
  readonly type: string;
  readonly schema_version: number;
  readonly payload: string;
  readonly salt: Buffer;
  readonly recorded_at: string;
  readonly actor: string;
  readonly causation: Buffer | null;
  readonly correlation: string | null;
  readonly leaf_hash: Buffer;
  /** Of a redacted event, in the place of payload and salt. */
  readonly payload_hash?: Buffer | null;
}

export function storedRows(database: Database.Database): StoredRow[] {
  return database
    .prepare<[], StoredRow>(
      "SELECT events.*, streams.name AS stream FROM events JOIN streams ON key = events.stream ORDER BY position",
    )
    .all();
}

/** The leaf hash in hex, by the documented format (src/events/leaf-hash.ts) and none of its code. */
export function recomputedLeafHash(row: StoredRow): string {
  const sha256 = (...parts: readonly Uint8Array[]) =>
    createHash("sha256").update(Buffer.concat(parts)).digest();
  const fields = [
    `${row.position}`,
    uuidText(row.id),
    row.stream,
    `${row.stream_version}`,
    row.type,
    `${row.schema_version}`,
    row.recorded_at,
    row.actor,
    row.causation === null ? "" : uuidText(row.causation),
    row.correlation ?? "",
  ];
  const prefixed = fields.flatMap((field) => {
    const bytes = Buffer.from(field, "utf8");
    const length = Buffer.from(bytes.length.toString(16).padStart(8, "0"), "hex");
    return [length, bytes];
  });
  const payloadHash = row.payload_hash ?? sha256(row.salt, Buffer.from(row.payload, "utf8"));
  return sha256(Buffer.from([0]), ...prefixed, payloadHash).toString("hex");
}

function uuidText(bytes: Buffer): string {
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
