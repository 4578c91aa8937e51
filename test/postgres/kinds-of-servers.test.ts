// @module-tag postgresql
import { join } from "node:path";
import { expect, test } from "vitest";
import { createPostgresLog } from "../../adapters/postgres/create-log.ts";
import { openPostgresLog } from "../../adapters/postgres/postgres-log.ts";
import { parsePostgresUrl } from "../../adapters/postgres/url.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { comments } from "../events/given.ts";
import { ask } from "../support/postgres/ask.ts";
import { makeAuthority, makeClientCertificate } from "../support/postgres/certificates.ts";
import { freshSchema, givenServer } from "../support/postgres/given.ts";
import { asServerUser } from "../support/postgres/server-user.ts";
import { coded } from "../support/refusal.ts";
import { givenLog } from "./given-postgres.ts";

/* Catches: a server that cannot keep a log and takes one all the same, a refusal that does not say what would be right. */

async function open(url: string): Promise<void> {
  const log = await openPostgresLog(url, systemEnvironment(), { patience_ms: 3_000 });
  await log.append(comments(1)).finally(() => log.close());
}

test("a server older than PostgreSQL 14 is refused with its version", async () => {
  const url = new URL(await givenLog());
  const name = url.searchParams.get("schema");
  // No such server can be had here: a present one gives this login the version of an old one, and nothing else is faked.
  await ask(
    url.href,
    `CREATE ROLE "${name}_old" LOGIN SUPERUSER;
     CREATE SCHEMA "${name}_old";
     CREATE FUNCTION "${name}_old".current_setting(a_name text) RETURNS text LANGUAGE sql STABLE AS
       $$ SELECT CASE a_name WHEN 'server_version_num' THEN '130011' ELSE pg_catalog.current_setting(a_name) END $$;
     ALTER ROLE "${name}_old" SET search_path = "${name}_old", pg_catalog`,
  );
  url.username = `${name}_old`;
  const told = {
    code: "server",
    message: expect.stringMatching(/is PostgreSQL 13 .*Use PostgreSQL 14 or later/),
  };
  await expect(open(url.href)).rejects.toMatchObject(told);
  const other = new URL(freshSchema());
  other.username = url.username;
  await expect(createPostgresLog(other.href)).rejects.toMatchObject(told);
});

test("in a database that is not in UTF-8 no log is made", async () => {
  const url = new URL(freshSchema());
  const database = `${url.searchParams.get("schema")}_latin`;
  await ask(
    url.href,
    `CREATE DATABASE "${database}" ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
  );
  url.pathname = `/${database}`;
  await expect(createPostgresLog(url.href)).rejects.toMatchObject(
    coded("server", /encoding is LATIN1.*ENCODING 'UTF8'/),
  );
  await ask(freshSchema(), `DROP DATABASE "${database}"`);
});

test("a login is known by its client certificate, and without it, by another's or a stranger's it is refused", async () => {
  const server = await givenServer({ tls: "clients", settings: { fsync: "off" } });
  const url = new URL(server.url);
  url.searchParams.set("schema", "safe");
  await createPostgresLog(url.href);
  await server.ask(`CREATE ROLE "shop_a" LOGIN IN ROLE "safe_host"`);
  const as = (login: string, files: { cert?: string; key?: string }) => {
    const other = new URL(url);
    other.username = login;
    for (const [name, path] of [
      ["sslcert", files.cert],
      ["sslkey", files.key],
    ] as const) {
      if (path) other.searchParams.set(name, path);
      else other.searchParams.delete(name);
    }
    return other.href;
  };
  const own = await makeClientCertificate(server.folder, "shop_a");
  await open(as("shop_a", own));
  expect(await server.ask("SELECT host FROM safe.events")).toEqual([{ host: "shop_a" }]);

  const told = { code: "server", message: expect.stringContaining("sslcert") };
  await expect(open(as("shop_a", {}))).rejects.toMatchObject(told);
  await expect(open(as("postgres", own))).rejects.toMatchObject(told);
  const elsewhere = join(server.folder, "elsewhere");
  await asServerUser("mkdir", [elsewhere]);
  await makeAuthority(elsewhere);
  await expect(open(as("shop_a", await makeClientCertificate(elsewhere, "shop_a")))).rejects.toMatchObject(
    told,
  );
  expect(await server.ask("SELECT count(*)::integer FROM safe.events")).toEqual([{ count: 1 }]);

  // Also without a word of it in the URL.
  const [by] = parsePostgresUrl(as("shop_a", {}), { PGSSLCERT: own.cert, PGSSLKEY: own.key }).servers;
  expect(await ask({ ...by?.config, password: "" }, "SELECT session_user AS me")).toEqual([{ me: "shop_a" }]);
});
