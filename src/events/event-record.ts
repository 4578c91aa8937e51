import type { Bytes } from "../lib/bytes.ts";
import type { IsoTime } from "../lib/time.ts";

/** A validated, encoded event that has no id, position or time yet. */
export interface EncodedEvent {
  readonly type: string;
  readonly schemaVersion: number;
  readonly stream: string;
  /** JSON text, its fields in the order of the schema. */
  readonly payload: string;
  readonly actor: string;
  readonly causation: string | undefined;
  readonly correlation: string | undefined;
}

/** An event as the log stores it. */
export interface EventRecord extends EncodedEvent {
  readonly position: number;
  readonly id: string;
  readonly streamVersion: number;
  readonly recordedAt: IsoTime;
  /** Empty after a redaction. */
  readonly salt: Bytes;
  readonly leafHash: Bytes;
  /** Set if payload and salt were removed: `payload` is then the part that the redaction kept. */
  readonly redaction?: Redaction | undefined;
}

/** What remains of an event whose payload was removed. */
interface Redaction {
  /** The id of the `event.redacted`. */
  readonly position: number;
  readonly payloadHash: Bytes;
  /** The schema version of `kept`. */
  readonly schemaVersion: number;
}
