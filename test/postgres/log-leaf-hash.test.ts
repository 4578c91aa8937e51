// @module-tag postgresql
import fc from "fast-check";
import { expect, test } from "vitest";
import type { EventRecord } from "../../src/events/event-record.ts";
import { leafHash } from "../../src/events/leaf-hash.ts";
import { exactFromIsoTime, toIsoTime } from "../../src/lib/time.ts";
import { ask } from "../support/postgres/ask.ts";
import { givenLog, schemaOf } from "./given-postgres.ts";

// The text that a log holds has no NUL, and no half of a surrogate pair.
const text = fc.string({ unit: "binary", maxLength: 40 }).map((value) => value.replaceAll("\0", ""));
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const record = fc.record({
  position: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  id: fc.uuid(),
  stream: text,
  streamVersion: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  type: text,
  schemaVersion: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  payload: fc.oneof(text, fc.json()),
  recordedAt: fc
    .integer({ min: Date.UTC(1, 0), max: Date.UTC(9_999, 11, 31) })
    .chain((ms) => fc.integer({ min: 0, max: 999 }).map((rest) => timeOf(ms, rest))),
  actor: text,
  causation: optional(fc.uuid()),
  correlation: optional(text),
  salt: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes)),
}) satisfies fc.Arbitrary<Omit<EventRecord, "leafHash">>;

function timeOf(ms: number, rest: number): string {
  return toIsoTime(ms * 1_000).replace(/\d{3}Z$/, `${String(rest).padStart(3, "0")}Z`);
}

test("every leaf hash made by the server is the program's", async () => {
  const url = await givenLog();
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 100 }), async (records) => {
      const rows = await ask<{ hash: string }>(
        url,
        `SELECT encode(${schemaOf(url)}.leaf(x.position, x.id, x.stream, x.stream_version, x.type, x.schema_version, x.us, x.actor,
           x.causation, x.correlation, decode(x.salt, 'hex'), x.payload), 'hex') AS hash
         FROM ROWS FROM (json_to_recordset($1) AS (position bigint, id uuid, stream text, stream_version integer, type text,
           schema_version integer, us bigint, actor text, causation uuid, correlation text, salt text, payload text)) WITH ORDINALITY x
         ORDER BY x.ordinality`,
        [JSON.stringify(records.map(asRow))],
      );
      expect(rows.map(({ hash }) => hash)).toEqual(records.map((each) => leafHash(each).toString("hex")));
    }),
  );
});

function asRow(record: Omit<EventRecord, "leafHash">) {
  const { streamVersion: stream_version, schemaVersion: schema_version, recordedAt, salt, ...rest } = record;
  return {
    ...rest,
    stream_version,
    schema_version,
    us: String(exactFromIsoTime(recordedAt)),
    salt: salt.toString("hex"),
  };
}
