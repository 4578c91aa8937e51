import { hash } from "node:crypto";
import type { EventRecord } from "./encoding.ts";

/** What the leaf hash of an event covers besides its payload. */
export type LeafFields = Omit<EventRecord, "payload" | "salt" | "leafHash" | "redaction">;

/**
 * The leaf of an event in an RFC 6962 Merkle tree: `sha256(0x00 ‖ fields ‖ payloadHash)`, each field as UTF-8 behind
 * its length in four bytes, big end first; `payloadHash = sha256(salt ‖ payload)`. An absent field has no bytes.
 */
export function leafHash(record: Omit<EventRecord, "leafHash">): Buffer {
  const { redaction } = record;
  return redaction ? leafHashWithout(record, redaction.payloadHash) : hashLeaf(record, hashPayload(record));
}

/** The same where the payload is not at hand and its hash is: it was withheld, or is gone. */
export function leafHashWithout(fields: LeafFields, payloadHash: Buffer): Buffer {
  return hashLeaf(fields, payloadHash.toString("binary"));
}

/** `sha256(salt ‖ payload)`: what remains of a payload that is not shown, and what a redaction has kept of one. */
export function payloadHash(record: Pick<EventRecord, "salt" | "payload" | "redaction">): Buffer {
  return record.redaction?.payloadHash ?? Buffer.from(hashPayload(record), "binary");
}

/** As text of a byte a character, which is made twice as fast as a buffer. */
function hashPayload({ salt, payload }: Pick<EventRecord, "salt" | "payload">): string {
  const bytes = Buffer.allocUnsafe(salt.length + Buffer.byteLength(payload));
  bytes.set(salt, 0);
  bytes.write(payload, salt.length);
  return hash("sha256", bytes, "binary");
}

function hashLeaf(record: LeafFields, payloadHash: string): Buffer {
  const fields = [
    String(record.position),
    record.id,
    record.stream,
    String(record.streamVersion),
    record.type,
    String(record.schemaVersion),
    record.recordedAt,
    record.actor,
    record.causation ?? "",
    record.correlation ?? "",
  ];
  let most = 1 + payloadHash.length;
  for (const field of fields) most += 4 + UTF8_MOST * field.length;
  const bytes = Buffer.allocUnsafe(most);
  bytes[0] = 0x00;
  let end = 1;
  for (const field of fields) {
    const length = bytes.write(field, end + 4);
    end = bytes.writeUInt32BE(length, end) + length;
  }
  end += bytes.write(payloadHash, end, "binary");
  return Buffer.from(hash("sha256", bytes.subarray(0, end), "binary"), "binary");
}

/** Bytes of UTF-8 that a unit of UTF-16 takes at most. */
const UTF8_MOST = 3;
