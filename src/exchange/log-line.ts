import { hash } from "node:crypto";
import { z } from "zod";
import type { EventRecord } from "../events/encoding.ts";
import { ExchangeError } from "./exchange-error.ts";
import { type Line, parseLine } from "./lines.ts";

/** The first line of an exported log. */
export interface LogHeader {
  /** The version of this form of lines. */
  readonly signalbox_log: typeof EXPORT_VERSION;
  /** The position of the last event, and so the number of lines that follow. */
  readonly head: number;
}

const EXPORT_VERSION = 1;

export function headerLine(head: number): string {
  return JSON.stringify({ signalbox_log: EXPORT_VERSION, head } satisfies LogHeader);
}

/** @throws ExchangeError `malformed`: the file is no exported log, or one of a newer program */
export function readHeader(line: Line | undefined): LogHeader {
  const header = headerSchema.safeParse(line && jsonIn(line));
  if (!header.success) {
    throw new ExchangeError(
      "malformed",
      'This is no exported log: its first line must be {"signalbox_log":1,"head":…}, as `signalbox export` writes it. ' +
        "For a file of another program name what it is with --from.",
    );
  }
  if (header.data.signalbox_log !== EXPORT_VERSION) {
    throw new ExchangeError(
      "malformed",
      `This log was exported in form ${header.data.signalbox_log}; this version of signalbox knows form ${EXPORT_VERSION}. Update signalbox here.`,
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

/** An event as a line: its fields as the log stores them, hashes and salt in hex, the payload as the JSON that was hashed. */
export function recordLine(record: EventRecord): string {
  const envelope = JSON.stringify({
    position: record.position,
    id: record.id,
    stream: record.stream,
    streamVersion: record.streamVersion,
    type: record.type,
    schemaVersion: record.schemaVersion,
    recordedAt: record.recordedAt,
    actor: record.actor,
    causation: record.causation,
    correlation: record.correlation,
    salt: record.salt.toString("hex"),
    payloadHash: payloadHash(record),
    leafHash: record.leafHash.toString("hex"),
  });
  // To the byte as it is stored, since its hash is of these bytes.
  return `${envelope.slice(0, -1)},"payload":${record.payload}}`;
}

/** @throws ExchangeError `malformed`: which line, and which field; `damaged`: the payload is not the one that was hashed */
export function readRecord(line: Line): EventRecord {
  const parsed = recordSchema.safeParse(parseLine(line));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue?.path.join(".") || "it";
    throw new ExchangeError(
      "malformed",
      `Line ${line.number} is no exported event: ${field}: ${issue?.message}.`,
    );
  }
  const { payload, salt, leafHash, payloadHash: said, causation, correlation, ...envelope } = parsed.data;
  const record = {
    ...envelope,
    causation,
    correlation,
    // Written by JSON.stringify when it was appended, so that this gives the same bytes again.
    payload: JSON.stringify(payload),
    salt: Buffer.from(salt, "hex"),
    leafHash: Buffer.from(leafHash, "hex"),
  };
  if (payloadHash(record) !== said) {
    throw new ExchangeError(
      "damaged",
      `Line ${line.number}: the payload at position ${record.position} is not the one that was hashed.`,
    );
  }
  return record;
}

function payloadHash({ salt, payload }: Pick<EventRecord, "salt" | "payload">): string {
  return hash("sha256", Buffer.concat([salt, Buffer.from(payload)]));
}

const headerSchema = z.object({ signalbox_log: z.int(), head: z.int().min(0) });

const hex = (bytes: number) =>
  z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`), `must be ${bytes} bytes in hex`);

const recordSchema = z.strictObject({
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
  salt: hex(16),
  payloadHash: hex(32),
  leafHash: hex(32),
  payload: z.record(z.string(), z.unknown()),
});
