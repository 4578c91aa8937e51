// @module-tag postgresql
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openPostgresLog } from "../../adapters/postgres/postgres-log.ts";
import { parsePostgresUrl } from "../../adapters/postgres/url.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { comment, comments, temporaryFolder } from "../events/given.ts";
import { ask } from "../support/postgres/ask.ts";
import { freshSchema, givenServer } from "../support/postgres/given.ts";
import { coded } from "../support/refusal.ts";
import { givenLog, openForTest, schemaOf } from "./given-postgres.ts";

const CANARY = "canary-pass:word/1";

async function fault(url: string): Promise<{ code: string; message: string }> {
  try {
    const log = await openPostgresLog(url, systemEnvironment(), { patience_ms: 2_000 });
    await log.close();
    return { code: "none", message: "" };
  } catch (error) {
    return error as { code: string; message: string };
  }
}

const WRONG: readonly [string, string, RegExp][] = [
  ["no database", "postgres://USER@host", /must look like/],
  ["another protocol", "mysql://USER@host/db", /must look like/],
  ["an unknown parameter", "postgres://USER@host/db?shema=x", /unknown parameter "shema".*schema/],
  ["a port that is none", "postgres://USER@host:port/db", /"host:port"/],
  [
    "too little verification",
    "postgres://USER@log.example.org/db?sslmode=require",
    /sslmode=require.*sslmode=verify-full/,
  ],
  [
    "no encryption",
    "postgres://USER@log.example.org/db?sslmode=disable",
    /sslmode=disable.*sslmode=verify-full/,
  ],
  [
    "a missing certificate",
    "postgres://USER@log.example.org/db?sslcert=/no/file.pem",
    /\/no\/file\.pem, which sslcert names/,
  ],
];

test.each(WRONG)(
  "a URL with %s is refused: what is wrong, and what would be right",
  async (_, url, words) => {
    const { code, message } = await fault(url.replace("USER", `user:${encodeURIComponent(CANARY)}`));
    expect([code, message]).toEqual(["server", expect.stringMatching(words)]);
    expect(message).not.toContain("canary");
  },
);

test("a URL names several hosts, each with its port, sockets and addresses in brackets", () => {
  const hosts = (url: string) =>
    parsePostgresUrl(url, {}).servers.map(({ name, config }) => [
      name,
      config.host,
      config.port,
      !!config.ssl,
    ]);
  expect(hosts("postgres://u@127.0.0.1:5433,log.example.org/db")).toEqual([
    ["127.0.0.1:5433", "127.0.0.1", 5433, false],
    ["log.example.org:5432", "log.example.org", 5432, true],
  ]);
  expect(hosts("postgresql://[::1]:7,[2001:db8::1]/db")).toEqual([
    ["[::1]:7", "::1", 7, false],
    ["[2001:db8::1]:5432", "2001:db8::1", 5432, true],
  ]);
  expect(hosts("postgres:///db?host=/run/postgresql")).toEqual([
    ["/run/postgresql:5432", "/run/postgresql", 5432, false],
  ]);
  expect(parsePostgresUrl(`postgres://u:${encodeURIComponent(CANARY)}@a/db?schema=x`).shown).toBe(
    "postgres://u@a:5432/db?schema=x",
  );
});

test("what is not right at the server is said with what to do", async () => {
  const url = await givenLog();
  const elsewhere = (change: (url: URL) => void) => {
    const other = new URL(url);
    change(other);
    return fault(other.href);
  };
  expect(await elsewhere((other) => other.searchParams.set("schema", "nowhere"))).toMatchObject(
    coded("server", /no log in the schema "nowhere".*fleet create/),
  );
  expect(await elsewhere((other) => (other.pathname = "/nowhere"))).toMatchObject(
    coded("server", "no such database"),
  );
  await ask(url, `CREATE ROLE "${new URL(url).searchParams.get("schema")}_stranger" LOGIN`);
  expect(
    await elsewhere((other) => (other.username = `${new URL(url).searchParams.get("schema")}_stranger`)),
  ).toMatchObject(coded("server", /lacks a right.*_host/));
  expect(await elsewhere((other) => (other.port = "1"))).toMatchObject(coded("busy", /is away.*try again/));
  const other = new URL(freshSchema());
  await ask(url, `CREATE SCHEMA "${other.searchParams.get("schema")}"`);
  expect(await fault(other.href)).toMatchObject(coded("server", "no log in the schema"));
});

test("a log that needs a newer program is not opened, and takes nothing from a handle that was open", async () => {
  const url = await givenLog();
  const log = await openForTest(url);
  await log.append(comments(1));
  await ask(url, `UPDATE ${schemaOf(url)}.about SET level = 99`);
  const told = { code: "newer_schema", message: expect.stringContaining("pdate signalbox") };
  expect(await fault(url)).toMatchObject(told);
  await expect(log.append([comment("of an older program")])).rejects.toMatchObject(told);
});

test("of several hosts the one that takes writes is used, wherever it is in the list", async () => {
  const url = await givenLog();
  const several = url.replace("@127.0.0.1", "@127.0.0.1:1,127.0.0.1");
  const log = await openForTest(several);
  await log.append(comments(1));
  expect(await log.head()).toBe(1);
});

test("a password comes from the file that PGPASSFILE names, and is in no error", async () => {
  const server = await givenServer({ password: CANARY, settings: { fsync: "off" } });
  const url = new URL(server.url);
  url.searchParams.set("schema", "secret");
  const { createPostgresLog } = await import("../../adapters/postgres/create-log.ts");
  await createPostgresLog(url.href);
  url.password = "";
  expect(await fault(url.href)).toMatchObject({ code: "server", message: expect.stringContaining("pgpass") });
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const file = join(folder.path, "pgpass");
  writeFileSync(file, `127.0.0.1:${server.port}:*:postgres:${CANARY.replaceAll(":", "\\:")}\n`, {
    mode: 0o600,
  });
  const before = process.env.PGPASSFILE;
  process.env.PGPASSFILE = file;
  onTestFinished(() => {
    if (before === undefined) delete process.env.PGPASSFILE;
    else process.env.PGPASSFILE = before;
  });
  const log = await openForTest(url.href);
  await log.append(comments(1));
  delete process.env.PGPASSFILE;
  url.password = `wrong-${encodeURIComponent(CANARY)}`;
  const error = await fault(url.href);
  expect(error.code).toBe("server");
  expect(JSON.stringify([error.message, String((error as { cause?: unknown }).cause)])).not.toContain(
    "canary",
  );
});

test("over TLS the server's name and authority are verified", async () => {
  const server = await givenServer({ tls: true, settings: { fsync: "off" } });
  const url = new URL(server.url);
  url.searchParams.set("schema", "safe");
  const { createPostgresLog } = await import("../../adapters/postgres/create-log.ts");
  await createPostgresLog(url.href);
  const log = await openForTest(url.href);
  await log.append(comments(1));
  expect(await log.head()).toBe(1);
  url.searchParams.delete("sslrootcert");
  expect(await fault(url.href)).toMatchObject(coded("server", "certificate"));
});
