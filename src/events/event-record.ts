import type { Bytes } from "./bytes.ts";
import type { IsoTime } from "./time.ts";

/** An event checked and written out, before it has an id, a place and a time. */
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

/** An event as a log keeps it. */
export interface EventRecord extends EncodedEvent {
  readonly position: number;
  readonly id: string;
  readonly streamVersion: number;
  readonly recordedAt: IsoTime;
  /** Empty after a redaction. */
  readonly salt: Bytes;
  readonly leafHash: Bytes;
  /** Where payload and salt were removed: `payload` is what was kept of it, and its hash is known from here. */
  readonly redaction?: Redaction | undefined;
}

/** What a log knows of an event whose payload is gone. */
interface Redaction {
  /** Of the event `event.redacted`. */
  readonly position: number;
  readonly payloadHash: Bytes;
  /** Of what was kept. */
  readonly schemaVersion: number;
}
