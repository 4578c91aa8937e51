// @module-tag postgresql
import { expect, test } from "vitest";
import type { EventLog } from "../../src/events/log.ts";
import { verifyLog } from "../../src/history/audit/verify-log.ts";
import { comment } from "../events/given.ts";
import { ask } from "../support/postgres/ask.ts";
import { givenLog, openForTest, schemaOf } from "./given-postgres.ts";

/* Catches: a changed event, a removed trigger, a function that is another one, each of which a server's owner could bring about. */

async function damageAfter(change: (url: string, schema: string) => Promise<unknown>) {
  const url = await givenLog();
  const log: EventLog = await openForTest(url);
  await log.append([comment("one"), comment("two"), comment("three")]);
  await change(url, schemaOf(url));
  return (await verifyLog(log)).damage;
}

const asOwner = (url: string, sql: string) => ask(url, `SET session_replication_role = replica; ${sql}`);

test("a log that nobody tampered with is verified, and its schema is the one that signalbox makes", async () => {
  expect(await damageAfter(async () => {})).toBe(undefined);
});

test.each([
  [
    "a payload was changed",
    "leaf_hash",
    "UPDATE @.events SET payload = replace(payload, 'two', 'six') WHERE position = 2",
  ],
  ["an event was removed", "gap", "DELETE FROM @.events WHERE position = 2"],
  ["a trigger is off", "schema", "ALTER TABLE @.events DISABLE TRIGGER events_are_not_changed"],
  [
    "a function is another one",
    "schema",
    "CREATE OR REPLACE FUNCTION @.durably() RETURNS void LANGUAGE plpgsql AS 'BEGIN END'",
  ],
  ["a rule drops what is appended", "schema", "CREATE RULE lost AS ON INSERT TO @.events DO INSTEAD NOTHING"],
])("verify finds that %s", async (_what, check, sql) => {
  const damage = await damageAfter((url, schema) => asOwner(url, sql.replaceAll("@", schema)));
  expect(damage?.check).toBe(check);
});
