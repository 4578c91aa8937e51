// @module-tag postgresql-standbys
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { initProject, openProject, readModelPathIn } from "../../src/api/project.ts";
import { stateVariables } from "../../src/config/state-folder.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import type { StoredEvent } from "../../src/events/event.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { openLog } from "../../src/events/open-log.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { comments, everythingIn } from "../events/given.ts";
import { fails, type Ran, signalbox } from "../support/cli.ts";
import { freshSchema, givenCluster, givenServer } from "../support/postgres/given.ts";
import { freshFolder } from "../support/project.ts";

/* As an operator and two hosts use it. Catches: a command that works alone and not after the others, a password that is told or kept. */

/** Runs commands in a folder, and keeps all that they print. */
function inFolder(folder: string, env: Record<string, string> = {}) {
  const told: string[] = [];
  return {
    folder,
    told,
    async run(...args: readonly string[]): Promise<Ran> {
      const ran = await signalbox(args, { cwd: folder, env });
      told.push(ran.stdout, ran.stderr);
      return ran;
    },
    async works(...args: readonly string[]): Promise<string> {
      const ran = await this.run(...args);
      if (ran.exitCode !== 0) throw new Error(`signalbox ${args.join(" ")}: ${ran.exitCode} ${ran.stderr}`);
      return ran.stdout;
    },
  };
}

test("a project goes from its file to a cluster, works on from two hosts, and over a failover", async () => {
  const cluster = await givenCluster({ standbys: 2, synchronous: "ANY 1" });
  const url = `${cluster.url}?schema=shop`;
  const [one, two] = [inFolder(freshFolder()), inFolder(freshFolder())];
  await one.works("init", "--title", "Shop");
  await one.works("task", "add", "Export as CSV");
  expect(await one.works("fleet")).toContain("The log is the file");
  expect(await one.works("fleet", "create", url)).toContain('GRANT "shop_host" TO "shop_a"');
  // The login of these tests is a superuser, which may move a log, and no host should have.
  const moved = await one.works("fleet", "move", url);
  expect(moved).toContain("all unchanged");
  expect(moved).toContain("next, with this host's own login: signalbox fleet join URL");
  const refused = await two.run("fleet", "join", url);
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("is a superuser") });
  expect(await two.works("fleet", "join", url, "--anyway")).toContain("works on postgres://");
  expect(existsSync(join(two.folder, ".ralph/mcp"))).toBe(true);
  await two.works("task", "add", "Import from CSV");
  expect(await one.works("task", "list")).toContain("Import from CSV");
  expect(await one.works("verify")).toContain("all unchanged");

  const status = JSON.parse(await two.works("fleet", "status", "--json"));
  expect(status.servers.servers.map(({ is }: { is: string }) => is)).toEqual([
    "primary",
    "standby",
    "standby",
  ]);
  expect(status.servers.facts.standbys).toMatchObject([{ sync: "quorum" }, { sync: "quorum" }]);

  await cluster.kill(cluster.primary);
  const away = await one.run("task", "add", "While nobody takes it");
  expect(away.exitCode).toBe(3);
  expect(away.stderr).toContain("fleet promote");
  expect(await one.works("fleet", "promote", url)).toContain("1 standbys follow it");
  await one.works("task", "add", "After the failover");
  expect(await two.works("task", "list")).toContain("After the failover");
});

test("the first host that joins an empty log begins it as init does, and no other host does", async () => {
  const url = freshSchema();
  const hosts = [inFolder(freshFolder()), inFolder(freshFolder()), inFolder(freshFolder())];
  await hosts[0]?.works("fleet", "create", url);
  const line = ["fleet", "join", url, "--anyway", "--title", "Shop", "--json"];
  const joined = await Promise.all(hosts.map(async (host) => JSON.parse(await host.works(...line))));
  expect(joined.filter(({ begun }) => begun)).toHaveLength(1);
  expect(await hosts[0]?.works("fleet", "join", url, "--anyway")).toContain(
    "3 events\n  next: signalbox status",
  );
  for (const [at, host] of hosts.entries()) {
    expect(existsSync(join(host.folder, ".ralph/mcp"))).toBe(true);
    expect(await host.works("task", "add", `Task ${at}`)).toContain("Added");
  }
  expect(await hosts[2]?.works("project")).toContain("Shop");
  const log = await openLog({ url }, systemEnvironment());
  onTestFinished(() => log.close());
  const { folder } = inFolder(freshFolder());
  await initProject(folder, { title: "Shop" });
  const project = await openProject(folder);
  onTestFinished(() => project.close());
  const wordsOf = (events: readonly StoredEvent[]) => events.map(({ type, payload }) => ({ type, payload }));
  expect(wordsOf(await log.read(0, 3))).toEqual(wordsOf(await everythingIn(project.log)));
});

test("a move that is killed anywhere is done when it is run again, and never do two logs take appends", async () => {
  const url = freshSchema();
  const host = inFolder(freshFolder());
  await host.works("init");
  await host.works("fleet", "create", url);
  const path = logPathBeside(readModelPathIn(host.folder));
  const appendToFile = async (count: number) => {
    const log = await openLog({ path }, systemEnvironment());
    try {
      return (await log.append(comments(count))).events.map(({ id }) => id);
    } finally {
      await log.close();
    }
  };
  const acknowledged = await appendToFile(3_000);
  let isEnded = false;
  for (let round = 0; round < 12 && !isEnded; round++) {
    await killedAfter(300 + 150 * round, ["fleet", "move", url, "--anyway"], host.folder);
    try {
      acknowledged.push(...(await appendToFile(5)));
    } catch (error) {
      expect(error).toMatchObject({ code: "moved_to" });
      isEnded = true;
    }
  }
  await host.works("fleet", "move", url, "--anyway");
  expect((await host.run("comment", "1", "nothing")).exitCode).toBe(1);
  const log = await openLog({ url }, systemEnvironment());
  onTestFinished(() => log.close());
  const ids = (await log.read(0, 10_000)).map(({ id }) => id);
  expect(ids.slice(2)).toEqual(acknowledged);
});

/** Runs a command, and kills it after so long unless it has ended. */
async function killedAfter(ms: number, args: readonly string[], cwd: string): Promise<void> {
  const child = spawn(process.execPath, [packagePath("bin/signalbox.js"), ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? "", ...stateVariables(process.env) },
    stdio: "ignore",
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), ms);
  await once(child, "close");
  clearTimeout(timer);
}

test("a project goes back to its file, and what is to be done about the other hosts is said", async () => {
  const url = freshSchema();
  const [one, two] = [inFolder(freshFolder()), inFolder(freshFolder())];
  await one.works("init", "--title", "Shop");
  await one.works("fleet", "create", url);
  await one.works("fleet", "move", url, "--anyway");
  await two.works("fleet", "join", url, "--anyway");
  await two.works("task", "add", "Export as CSV");
  const log = await openLog({ url }, systemEnvironment());
  onTestFinished(() => log.close());
  await log.hosts?.beat({ host: "h-2", name: "build-2", epoch: 1, level: 1 });
  const misled = inFolder(one.folder, { SIGNALBOX_LOG_URL: url });
  expect(await misled.run("fleet", "leave")).toMatchObject(fails(2, "Unset it"));
  const left = await one.works("fleet", "leave");
  expect(left).toContain("all unchanged");
  expect(left).toContain("these hosts cannot go on, since only one host works on a file: build-2 (h-2)");
  expect(left).toContain("signalbox fleet lost HOST");
  expect(await one.works("task", "list")).toContain("Export as CSV");
  expect(await one.works("verify")).toContain("all unchanged");
  expect(await one.works("fleet", "leave")).toContain("already");
  const late = await two.run("task", "add", "Too late");
  expect(late).toMatchObject({ exitCode: 3, stderr: expect.stringContaining(".ralph/db/events.db") });
});

test("no password is in any output, file or error", async () => {
  const canary = "canary-7f3a";
  const server = await givenServer({ password: canary, tls: true });
  const place = new URL(server.url);
  const pgpass = join(freshFolder(), "pgpass");
  writeFileSync(pgpass, `${place.hostname}:${place.port}:*:${place.username}:${canary}\n`);
  chmodSync(pgpass, 0o600);
  place.searchParams.set("schema", "shop");
  const inUrl = place.href;
  place.password = "";
  const url = place.href;
  const host = inFolder(freshFolder(), { PGPASSFILE: pgpass });
  const stranger = inFolder(freshFolder(), { PGPASSFILE: join(freshFolder(), "none") });
  await host.works("init");
  for (const command of ["create", "join", "move", "leave", "promote"]) {
    expect(await host.run("fleet", command, inUrl)).toMatchObject(fails(2, "~/.pgpass"));
  }
  await host.works("fleet", "create", url);
  await host.works("fleet", "move", url, "--anyway");
  await host.works("task", "add", "Export as CSV");
  for (const command of [
    ["status"],
    ["fleet"],
    ["doctor"],
    ["config", "show"],
    ["log"],
    ["verify"],
    ["export"],
    ["describe", "task"],
  ])
    await host.run(...command);
  const seen = [["status"], ["fleet"], ["doctor"]];
  for (const command of [...seen, ["log"]]) await host.run(...command, "--json");
  for (const command of ["create", "join", "move"]) {
    expect((await stranger.run("fleet", command, url)).exitCode).not.toBe(0);
  }
  await server.kill();
  for (const command of seen) {
    await host.run(...command);
    await host.run(...command, "--json");
  }
  const wrong = inFolder(freshFolder(), { SIGNALBOX_LOG_URL: inUrl.replace("/postgres?", "/missing?") });
  await wrong.run("status");
  const files = [host, stranger, wrong].flatMap(({ folder }) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1")),
  );
  const all = [...host.told, ...stranger.told, ...wrong.told, ...files];
  expect(all.filter((text) => text.includes(canary))).toEqual([]);
});

test.each([
  ["a place that is no URL of a log", () => "http://localhost/shop", "postgres://"],
  [
    "a server that is not there",
    () => "postgres://postgres@127.0.0.1:1/postgres?schema=shop",
    "ECONNREFUSED",
  ],
  ["a schema without a log", () => freshSchema(), "signalbox fleet create"],
  ["another machine without TLS", () => "postgres://a@db.example/shop?sslmode=require", "verify-full"],
])("%s is refused with what is right", async (_what, url, told) => {
  const host = inFolder(freshFolder());
  for (const command of ["join", "move"]) {
    const ran = await host.run("fleet", command, url());
    expect(ran.exitCode).toBeGreaterThan(0);
    expect(ran.stderr).toContain(command === "move" && !ran.stderr.includes(told) ? ".ralph" : told);
  }
});
