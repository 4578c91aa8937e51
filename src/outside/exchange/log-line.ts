import { z } from "zod";
import { envelopeOf } from "../../events/encoding.ts";
import type { EventRecord } from "../../events/event-record.ts";
import { payloadHash } from "../../events/leaf-hash.ts";
import { describeIssues, inOurWords } from "../../lib/wrong-values.ts";
import { ExchangeError } from "./exchange-error.ts";
import { type Line, parseLine } from "./lines.ts";

/** The first line of an exported log. */
export interface LogHeader {
  /** The version of this line format. */
  readonly signalbox_log: typeof EXPORT_VERSION;
  /** The position of the last event, and so the number of lines that follow. */
  readonly head: number;
}

const EXPORT_VERSION = 1;

export function headerLine(head: number): string {
  return JSON.stringify({ signalbox_log: EXPORT_VERSION, head } satisfies LogHeader);
}

/** @throws ExchangeError `malformed`: not an exported log, or one of a newer program */
export function readHeader(line: Line | undefined): LogHeader {
  const header = headerSchema.safeParse(line && jsonIn(line));
  if (!header.success) {
    throw new ExchangeError(
      "malformed",
      'This is not an exported log: its first line must be {"signalbox_log":1,"head":…}, as `signalbox export` writes it. ' +
        "For another program's file, name the program with --from.",
    );
  }
  if (header.data.signalbox_log !== EXPORT_VERSION) {
    throw new ExchangeError(
      "malformed",
      `This log was exported in format ${header.data.signalbox_log}, but this signalbox reads format ${EXPORT_VERSION}. Update signalbox here.`,
    );
  }
  return { signalbox_log: EXPORT_VERSION, head: header.data.head };
}

function jsonIn(line: Line): unknown {
  try {
    return parseLine(line);
  } catch {
    return undefined;
  }
}

/**
 * An event as a line: its stored fields, hashes and salt in hex, the payload as the JSON that was
 * hashed; a redacted event has neither salt nor payload.
 */
export function recordLine(record: EventRecord): string {
  const envelope = JSON.stringify({
    ...envelopeOf(record),
    ...(!record.redaction && { salt: record.salt.toString("hex") }),
    payloadHash: payloadHash(record).toString("hex"),
    leafHash: record.leafHash.toString("hex"),
    ...(record.redaction && { redacted: record.redaction.position }),
  });
  if (record.redaction) return envelope;
  // Exactly the stored bytes, since the hash covers them.
  return `${envelope.slice(0, -1)},"payload":${record.payload}}`;
}

/**
 * @throws ExchangeError `malformed`: with the line and the field; `damaged`: the payload does not
 * match its hash
 */
export function readRecord(line: Line): EventRecord {
  const value = parseLine(line);
  const isRedacted = typeof value === "object" && value !== null && "redacted" in value;
  return isRedacted ? readRedacted(line, value) : readWhole(line, value);
}

function readWhole(line: Line, value: unknown): EventRecord {
  const { payload, salt, payloadHash: said, ...envelope } = parsedBy(wholeSchema, line, value);
  const record = {
    ...withLeafHash(envelope),
    // JSON.stringify wrote it when it was appended, so this gives the same bytes.
    payload: JSON.stringify(payload),
    salt: Buffer.from(salt, "hex"),
  };
  if (payloadHash(record).toString("hex") !== said) {
    throw new ExchangeError(
      "damaged",
      `Line ${line.number}: the payload at position ${record.position} does not match its hash.`,
    );
  }
  return record;
}

/** Its redaction has the kept part and its schema version: unknown until that is found. */
function readRedacted(line: Line, value: unknown): EventRecord {
  const { redacted, payloadHash: said, ...envelope } = parsedBy(redactedSchema, line, value);
  const redaction = {
    position: redacted,
    payloadHash: Buffer.from(said, "hex"),
    schemaVersion: envelope.schemaVersion,
  };
  return { ...withLeafHash(envelope), payload: "", salt: Buffer.alloc(0), redaction };
}

function withLeafHash(envelope: z.output<typeof envelopeSchema>) {
  const { causation, correlation, leafHash } = envelope;
  return { ...envelope, causation, correlation, leafHash: Buffer.from(leafHash, "hex") };
}

function parsedBy<T>(schema: z.ZodType<T>, line: Line, value: unknown): T {
  const parsed = schema.safeParse(value, inOurWords);
  if (parsed.success) return parsed.data;
  const why = describeIssues(parsed.error, "event");
  throw new ExchangeError("malformed", `Line ${line.number} is not an exported event: ${why}.`);
}

const headerSchema = z.object({ signalbox_log: z.int(), head: z.int().min(0) });

const hex = (bytes: number) =>
  z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`), `must be ${bytes} bytes in hex`);

const envelopeSchema = z.strictObject({
  position: z.int().min(1),
  id: z.string(),
  stream: z.string(),
  streamVersion: z.int().min(1),
  type: z.string(),
  schemaVersion: z.int().min(1),
  recordedAt: z.string(),
  actor: z.string(),
  causation: z.string().optional(),
  correlation: z.string().optional(),
  leafHash: hex(32),
});

const wholeSchema = envelopeSchema.extend({
  salt: hex(16),
  payloadHash: hex(32),
  payload: z.record(z.string(), z.unknown()),
});

const redactedSchema = envelopeSchema.extend({
  payloadHash: hex(32),
  /** The position of its redaction. */
  redacted: z.int().min(1),
});
