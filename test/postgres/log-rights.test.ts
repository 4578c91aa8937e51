// @module-tag postgresql
import { expect, test } from "vitest";
import { createPostgresLog } from "../../adapters/postgres/create-log.ts";
import { openPostgresLog } from "../../adapters/postgres/postgres-log.ts";
import { redactionOf } from "../../adapters/testing/log-contract/redaction-of.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { codeOf, comment, comments, everythingIn } from "../events/given.ts";
import { ask } from "../support/postgres/ask.ts";
import { freshSchema } from "../support/postgres/given.ts";
import { coded } from "../support/refusal.ts";
import { givenLog, loginAs, openForTest, schemaOf } from "./given-postgres.ts";

/** The server's code of what it answers: 42501 is a right that is missing. */
async function refusal(url: string, sql: string): Promise<unknown> {
  try {
    await ask(url, sql);
    return "done";
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  }
}

test("a host's role can do nothing but append", async () => {
  const url = await givenLog();
  const [host, other] = [await loginAs(url, "host"), await givenLog()];
  const log = await openForTest(host);
  await log.append([...comments(2)]);
  expect(await everythingIn(log)).toHaveLength(2);
  const s = schemaOf(url);
  for (const sql of [
    `INSERT INTO ${s}.events SELECT * FROM ${s}.events`,
    `UPDATE ${s}.events SET actor = 'x'`,
    `DELETE FROM ${s}.events`,
    `TRUNCATE ${s}.events`,
    `DROP TABLE ${s}.events`,
    `ALTER TABLE ${s}.events DISABLE TRIGGER ALL`,
    `ALTER FUNCTION ${s}.guard() RENAME TO other`,
    `CREATE TABLE ${s}.mine ()`,
    `UPDATE ${s}.about SET epoch = 9`,
    `INSERT INTO ${s}.hosts VALUES ('x', 'x', 1, 1, now())`,
    `SELECT * FROM ${s}.waiting`,
    `UPDATE ${s}.waiting SET answer = '[]'`,
    `SELECT ${s}.write('[]')`,
    `SELECT ${s}.lead('${"0".repeat(32)}', false)`,
    `SELECT ${s}.lock_log()`,
    "SET session_replication_role = replica",
    `SET ROLE "${new URL(url).searchParams.get("schema")}_owner"`,
    `SELECT * FROM ${schemaOf(other)}.events`,
  ]) {
    expect([sql, await refusal(host, sql)]).toEqual([sql, "42501"]);
  }
  const records = await log.records(0, 2);
  expect(await codeOf(log.restore(records))).toBe("server");
  await expect(log.append([await redactionOf(log, 1)])).rejects.toMatchObject(coded("server", "_owner"));
  expect(await log.head()).toBe(2);
});

test("a reader reads, and appends nothing", async () => {
  const url = await givenLog();
  await (await openForTest(url)).append(comments(2));
  const reader = await openForTest(await loginAs(url, "reader"));
  const [first] = await everythingIn(reader);
  expect(await reader.find(first?.id ?? "")).toEqual(first);
  expect(await codeOf(reader.append([comment("more")]))).toBe("server");
});

test("events cannot be changed or deleted, by the owner either; what an owner redacts is gone", async () => {
  const url = await givenLog();
  const owner = await loginAs(url, "owner");
  const log = await openForTest(owner);
  await log.append(comments(3));
  const s = schemaOf(url);
  for (const sql of [
    `UPDATE ${s}.events SET actor = 'x'`,
    `UPDATE ${s}.events SET payload = NULL, salt = NULL, payload_hash = sha256(''), redacted_by = 3 WHERE position = 1`,
    `DELETE FROM ${s}.events`,
    `TRUNCATE ${s}.events`,
  ]) {
    // A path of the session's own must not lead the guard elsewhere.
    expect([sql, await refusal(owner, `SET search_path = pg_catalog; ${sql}`)]).toEqual([sql, "42501"]);
  }
  await log.append([await redactionOf(log, 1)]);
  const [row] = await ask<{ payload: null; salt: null }>(
    url,
    `SELECT payload, salt FROM ${s}.events WHERE position = 1`,
  );
  expect(row).toEqual({ payload: null, salt: null });
});

test("an event's time is the server's, whatever a host's clock says, and its host is the login's name", async () => {
  const url = await givenLog();
  const host = await loginAs(url, "host");
  const environment = { ...systemEnvironment(), now: () => Date.UTC(2001, 0) * 1_000 };
  const log = await openPostgresLog(host, environment, { ownClock: true });
  await log.append([comment("now")]);
  await log.close();
  const s = schemaOf(url);
  expect(await ask(url, `SELECT host, recorded_us > 1700000000000000 AS is_now FROM ${s}.events`)).toEqual([
    { host: new URL(host).username, is_now: true },
  ]);
});

test("a log is created by a login that is no superuser, and stays as it is when it is created again", async () => {
  const url = new URL(freshSchema());
  const login = `${url.searchParams.get("schema")}_operator`;
  await ask(
    url.href,
    `CREATE ROLE "${login}" LOGIN CREATEROLE; GRANT CREATE ON DATABASE postgres TO "${login}"`,
  );
  url.username = login;
  await createPostgresLog(url.href);
  const log = await openForTest(url.href);
  await log.append(comments(2));
  await createPostgresLog(url.href);
  expect(await log.head()).toBe(2);
});

test("a schema's name may have any characters", async () => {
  const url = new URL(freshSchema());
  const name = `${url.searchParams.get("schema")} "A'b$x$\\é`;
  url.searchParams.set("schema", name);
  await createPostgresLog(url.href);
  const log = await openForTest(url.href);
  await log.append(comments(2));
  expect(await log.head()).toBe(2);
});
