import { createHash } from "node:crypto";
import { stringify, validate } from "uuid";

/** True for the lower-case text form of a UUID, the only form in which event ids are accepted. */
export function isEventId(text: string): boolean {
  return validate(text) && text === text.toLowerCase();
}

/** The 16 bytes under which an id is stored (docs/decisions/0003). */
export function idToBytes(id: string): Buffer {
  return Buffer.from(id.replaceAll("-", ""), "hex");
}

export function idFromBytes(bytes: Uint8Array): string {
  return stringify(bytes);
}

/**
 * The same from those bytes in lower-case hex. Does not validate: the leaf hash of a stored id
 * does.
 */
export function idFromHex(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * An event id derived from a caller's own key: equal parts give an equal id, so a retried call is
 * recognised. A version 8 UUID (RFC 9562 §5.8) from the SHA-256 of the parts.
 */
export function idFromKey(...parts: readonly string[]): string {
  const bytes = createHash("sha256").update(JSON.stringify(parts)).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return idFromBytes(bytes);
}
