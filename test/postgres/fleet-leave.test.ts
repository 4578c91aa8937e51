// @module-tag postgresql
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createPostgresLog } from "../../adapters/postgres/create-log.ts";
import { openProject, prepareFolder } from "../../src/api/project.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { LOG_URL_VARIABLE, logPathBeside } from "../../src/events/log-location.ts";
import { openLog } from "../../src/events/open-log.ts";
import { endFile } from "../../src/events/sqlite-end.ts";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { readTree } from "../../src/history/audit/tree.ts";
import { redact } from "../../src/history/redaction/redact.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { joinFleet } from "../../src/outside/fleet/join.ts";
import { leaveFleet } from "../../src/outside/fleet/leave.ts";
import { moveToFleet } from "../../src/outside/fleet/move.ts";
import { comment, comments } from "../events/given.ts";
import { freshSchema } from "../support/postgres/given.ts";
import { freshFolder, freshProject, givenConfig, reopened, writeConfig } from "../support/project.ts";
import { coded } from "../support/refusal.ts";
import { mountSmallDisk } from "../survival/small-disk.ts";
import { givenLog, loginAs, openForTest } from "./given-postgres.ts";

/* Catches: an event lost, changed or doubled on the way back, two logs that take appends, a log that two hosts carry home. */

const environment = systemEnvironment();
const MOVED = { code: "moved_to" };

/** A project whose log went from its file to a server. */
async function givenMoved(folder?: string) {
  const given = await freshProject(folder);
  const url = await givenLog();
  await moveToFleet(given.db, url, environment);
  await given.project.close();
  return { ...given, url };
}

/** Another folder that works on the same log, and never had a file. */
async function givenJoined(url: string) {
  const folder = freshFolder();
  const db = prepareFolder(folder);
  await joinFleet(db, url, environment);
  return { folder, db };
}

/** A file with a log of its own, beside a read model. */
async function givenOwnFile(db: string): Promise<void> {
  createLogFile(logPathBeside(db));
  const own = await openLog({ path: logPathBeside(db) }, environment);
  await own.append(comments(2)).finally(() => own.close());
}

async function hashesIn(url: string): Promise<string[]> {
  const log = await openForTest(url, { readsMoved: true });
  return (await log.records(0, 10_000)).map(({ leafHash }) => Buffer.from(leafHash).toString("hex"));
}

test("a log that comes back has every event as it was, and the project goes on in its file", async () => {
  const { folder, db, url } = await givenMoved();
  givenConfig(folder, { jobs: 2, log: { url, patience_s: 7 } });
  const other = await givenJoined(url);
  await reopened(folder, async (project) => {
    for (const title of ["A", "B"])
      await project.decide(createTask({ title, description: `secret of ${title}` }));
    const redaction = { position: 3, reason: "a secret", fields: ["description"] };
    await redact(project.store, db, redaction, { actor: "human", wait_ms: 1_000 });
  });
  await reopened(other.folder, (project) => project.decide(createTask({ title: "C" })));
  const running = await openProject(other.folder);
  onTestFinished(() => running.close());
  await reopened(folder, (project) => project.queries.tasks());

  const left = await leaveFleet(db, undefined, environment);

  const before = await hashesIn(url);
  expect(left).toMatchObject({ path: logPathBeside(db), events: before.length, others: [] });
  const config = JSON.parse(readFileSync(join(folder, ".ralph/config.json"), "utf8"));
  expect(config).toEqual({ jobs: 2, log: { patience_s: 7 } });
  await reopened(folder, async (project) => {
    // The read model of the server's log is that of the file.
    expect(project.store.readModel.position()).toBe(before.length);
    const records = await project.log.records(0, 10_000);
    expect(records.map(({ leafHash }) => leafHash.toString("hex"))).toEqual(before);
    expect(records[2]?.redaction?.position).toBe(5);
    const tree = await readTree(await openForTest(url, { readsMoved: true }));
    expect((await readTree(project.log)).roots).toEqual(tree.roots);
    await project.decide(createTask({ title: "D" }));
    expect((await project.queries.tasks()).map(({ title }) => title)).toEqual(["A", "B", "C", "D"]);
  });
  await expect(running.decide(createTask({ title: "Too late" }))).rejects.toMatchObject(MOVED);
  await expect(openProject(other.folder)).rejects.toMatchObject({
    ...MOVED,
    message: expect.stringContaining(logPathBeside(db)),
  });
  expect(await leaveFleet(db, undefined, environment)).toMatchObject({ from: null });
});

test("a folder that joined, and never had a file, takes the log home", async () => {
  const { folder, url } = await givenMoved();
  const other = await givenJoined(url);
  await reopened(folder, (project) => project.decide(createTask({ title: "A" })));
  await leaveFleet(other.db, undefined, environment);
  await reopened(other.folder, async (project) => {
    expect(project.log.path).toBe(logPathBeside(other.db));
    await project.decide(createTask({ title: "B" }));
    expect(await project.queries.tasks()).toHaveLength(2);
  });
});

test("of the hosts that leave at once one has the log, and every other one is told where it is", async () => {
  const { db, url } = await givenMoved();
  const all = [db, (await givenJoined(url)).db, (await givenJoined(url)).db];
  const left = await Promise.allSettled(all.map((one) => leaveFleet(one, undefined, environment)));
  const [won] = left.flatMap((one, index) => (one.status === "fulfilled" ? [all[index] ?? ""] : []));
  const refused = left.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(refused).toHaveLength(2);
  for (const reason of refused)
    expect(reason).toMatchObject({ ...MOVED, message: expect.stringContaining(logPathBeside(won ?? "")) });
});

test("a log that came back goes to a server again, to another schema than the one that it left", async () => {
  const { folder, db, url } = await givenMoved();
  await leaveFleet(db, undefined, environment);
  await expect(moveToFleet(db, url, environment)).rejects.toMatchObject({
    ...MOVED,
    message: expect.stringContaining("fleet create"),
  });
  await reopened(folder, (project) => project.decide(createTask({ title: "A" })));
  const next = await givenLog();
  await moveToFleet(db, next, environment);
  await reopened(folder, (project) => project.decide(createTask({ title: "B" })));
  await leaveFleet(db, undefined, environment);
  await reopened(folder, async ({ queries, log }) => {
    expect(await queries.tasks()).toHaveLength(2);
    expect(log.path).toBe(logPathBeside(db));
  });
});

test("a host's login is refused, with the role that it lacks; the owner's is named beside it", async () => {
  const { folder, db, url } = await givenMoved();
  const host = await loginAs(url, "host");
  await joinFleet(db, host, environment);
  await expect(leaveFleet(db, undefined, environment)).rejects.toMatchObject(
    coded("rights", /_a_host may not.*role ".*_owner"/),
  );
  await reopened(folder, (project) => project.decide(createTask({ title: "A" })));
  await leaveFleet(db, await loginAs(url, "owner"), environment);
  await reopened(folder, async ({ log }) => expect(log.path).toBe(logPathBeside(db)));
});

test.each<[string, (given: { db: string; folder: string; url: string }) => unknown, object]>([
  [
    "a URL of another log",
    async ({ db }) => leaveFleet(db, await givenLog(), environment),
    { code: "other_log" },
  ],
  [
    "a variable that leads to the server",
    ({ db, url }) => leaveFleet(db, undefined, environment, { ...process.env, [LOG_URL_VARIABLE]: url }),
    { code: "variable", message: expect.stringContaining("Unset it") },
  ],
  [
    "a configuration that nobody has confirmed",
    ({ db, folder, url }) => {
      writeConfig(folder, JSON.stringify({ jobs: 2, log: { url } }));
      return leaveFleet(db, undefined, environment);
    },
    { code: "unconfirmed" },
  ],
  [
    "a file that holds another log",
    async ({ url }) => {
      const { db } = await givenJoined(url);
      await givenOwnFile(db);
      return leaveFleet(db, undefined, environment);
    },
    { code: "other_log", message: expect.stringContaining("it has 2 events") },
  ],
  [
    "a file whose log went to another server",
    async ({ url }) => {
      const { db } = await givenJoined(url);
      await givenOwnFile(db);
      await endFile(logPathBeside(db), "postgres://elsewhere/shop", async () => {});
      return leaveFleet(db, undefined, environment);
    },
    { code: "other_log", message: expect.stringContaining("another server") },
  ],
])("%s is refused, and the log goes on where it is", async (_what, leave, told) => {
  const given = await givenMoved();
  await expect(leave(given)).rejects.toMatchObject(told);
  const log = await openForTest(given.url);
  await expect(log.append([comment("as before")])).resolves.toMatchObject({ outcome: "appended" });
});

test("while a program from before the move has the file open, nothing is changed", async () => {
  const { project, folder, db } = await freshProject();
  const url = freshSchema();
  await createPostgresLog(url);
  await moveToFleet(db, url, environment);
  await expect(leaveFleet(db, undefined, environment)).rejects.toMatchObject(coded("busy", "Stop it"));
  await reopened(folder, (moved) => moved.decide(createTask({ title: "A" })));
  await project.close();
  await leaveFleet(db, undefined, environment);
  await reopened(folder, async ({ queries }) => expect(await queries.tasks()).toHaveLength(1));
});

test("where the disk is full the log goes on at the server, and comes back when there is room", {
  tags: "root",
}, async () => {
  const disk = mountSmallDisk(32 << 20);
  onTestFinished(() => disk.remove());
  const { db, url } = await givenMoved(disk.path);
  const log = await openForTest(url);
  for (let batch = 0; batch < 3; batch++) await log.append(comments(5_000));
  disk.leave(1 << 20);
  await expect(leaveFleet(db, undefined, environment)).rejects.toMatchObject({ code: "disk" });
  await log.append([comment("while the disk is full")]);
  disk.makeRoom();
  await expect(leaveFleet(db, undefined, environment)).resolves.toMatchObject({ events: 15_003 });
  await expect(log.append([comment("too late")])).rejects.toMatchObject(MOVED);
});
