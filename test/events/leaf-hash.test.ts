import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { EventRecord } from "../../src/events/event-record.ts";
import { leafHash } from "../../src/events/leaf-hash.ts";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import { comment, environmentAt, id, NOON, temporaryFolder } from "./given.ts";
import { recomputedLeafHash, storedRows } from "./stored-rows.ts";

type Fields = Omit<EventRecord, "leafHash" | "redaction">;

const record: Fields = {
  position: 3,
  id: "0190a8c2-7f00-7000-8000-00000000002a",
  stream: "task-7",
  streamVersion: 2,
  type: "comment.added",
  schemaVersion: 1,
  payload: '{"task":7,"author":"human","body":"Grüße 🚂"}',
  recordedAt: "2026-02-11T10:23:15.000042Z",
  actor: "human",
  causation: undefined,
  correlation: "s-1",
  salt: Buffer.from("000102030405060708090a0b0c0d0e0f", "hex"),
};

// Computed with Python's hashlib from the format in src/events/leaf-hash.ts. These never change: logs are kept for ever.
test("the leaf hash of a known event is the known one", () => {
  expect(leafHash(record).toString("hex")).toBe(
    "7eae25c6e556141a3efe55d0b2d542e6ec7bcb276c4585ab10c2bff39e4d70ef",
  );
  const caused = { ...record, causation: "0190a8c2-7f00-7000-8000-000000000029" };
  expect(leafHash(caused).toString("hex")).toBe(
    "1709259dd15d974df3e50d394c14bf7e6545a84d4547b605d674c9e982e6beab",
  );
});

test("every stored leaf hash matches its stored event", async () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const path = join(folder.path, "events.db");
  createLogFile(path);
  const log = openSqliteLog(path, environmentAt({ now: NOON }, "leaves"));
  await log.append([
    { ...comment("Grüße 🚂"), id: id(1), correlation: "s-1" },
    { ...comment("second", 8), causation: id(1) },
  ]);
  const { events } = await log.append([comment("third")]);
  const database = new Database(path, { readonly: true });
  const rows = storedRows(database);
  expect(rows).toHaveLength(3);
  for (const row of rows) expect(row.leaf_hash.toString("hex")).toBe(recomputedLeafHash(row));
  expect(rows[2]?.leaf_hash.toString("hex")).toBe(events[0]?.leafHash);
  expect(new Set(rows.map(({ salt }) => salt.toString("hex"))).size).toBe(3);
  expect(rows.every(({ salt }) => salt.length === 16)).toBe(true);
  database.close();
  await log.close();
});

const text = fc.string({ unit: "binary", maxLength: 8 });
const changes: { readonly [Field in keyof Fields]-?: fc.Arbitrary<Fields[Field]> } = {
  position: fc.integer({ min: 1 }),
  id: fc.uuid(),
  stream: text,
  streamVersion: fc.integer({ min: 1 }),
  type: text,
  schemaVersion: fc.integer({ min: 1 }),
  payload: text,
  recordedAt: text,
  actor: text,
  causation: fc.uuid(),
  correlation: text.filter((value) => value !== ""),
  salt: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes)),
};

test.each(Object.keys(changes) as (keyof Fields)[])("another %s gives another leaf hash", (field) => {
  const original = leafHash(record);
  fc.assert(
    fc.property(changes[field], (value) => {
      fc.pre(String(value) !== String(record[field]));
      expect(leafHash({ ...record, [field]: value })).not.toEqual(original);
    }),
  );
});

test("a character that moves from one field to its neighbour changes the leaf hash", () => {
  const moved: readonly Partial<Fields>[] = [
    { stream: "task-72", streamVersion: 0 },
    { type: "comment.added1", schemaVersion: 0 },
    { actor: "humans", correlation: "-1" },
    { causation: "s-1", correlation: undefined },
  ];
  for (const fields of moved) expect(leafHash({ ...record, ...fields })).not.toEqual(leafHash(record));
});

test("a payload cannot be guessed from its leaf without the salt", () => {
  const salts = [Buffer.alloc(16, 1), Buffer.alloc(16, 2)];
  const leaves = salts.map((salt) => leafHash({ ...record, salt }).toString("hex"));
  expect(new Set(leaves).size).toBe(2);
});
