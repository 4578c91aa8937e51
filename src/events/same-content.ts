import { decodeEvent } from "./encoding.ts";
import type { EncodedEvent, EventRecord } from "./event-record.ts";
import { isRedacted, keepsAllButTexts } from "./redaction/redact.ts";
import { withoutVia } from "./types/via.ts";

/** True if appending `encoded` again under the id of `record` says the same thing. */
export function sameContent(record: EventRecord, encoded: EncodedEvent): boolean {
  return (
    record.type === encoded.type &&
    record.stream === encoded.stream &&
    record.actor === encoded.actor &&
    record.causation === encoded.causation &&
    record.correlation === encoded.correlation &&
    samePayload(record, encoded)
  );
}

/**
 * The record encoded in today's schema version. Texts that a redaction removed cannot be compared; the rest can. An act that is
 * sent again may come another way.
 */
function samePayload(record: EventRecord, { type, payload }: EncodedEvent): boolean {
  const stored = decodeEvent(record).payload;
  const given = withoutVia(type, JSON.parse(payload)).payload;
  if (!isRedacted(record)) return JSON.stringify(stored) === JSON.stringify(given);
  return keepsAllButTexts(type, stored, given);
}
