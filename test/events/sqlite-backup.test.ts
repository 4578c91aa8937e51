// @module-tag linux
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { copyLog, restoreLog } from "../../src/events/sqlite-backup.ts";
import { coded } from "../support/refusal.ts";
import { comment, environmentAt, NOON } from "./given.ts";
import { damageMessage, givenLogFile, givenPath, openForTest, tamper } from "./log-file.ts";

/*
 * Catches: a copy that lacks what is only in the journal, or has a journal of its own; a file that is overwritten; a
 * damaged log that is copied or restored; a file that is left behind by a copy that failed.
 */
async function givenLog() {
  const path = givenLogFile();
  const log = openForTest(path);
  const { events } = await log.append([comment("one"), comment("two", 8), comment("three")]);
  return { path, log, events };
}

const filesBeside = (path: string) => readdirSync(dirname(path));

test("a copy is a snapshot of the log in one file that only its owner can read", async () => {
  const { path, log, events } = await givenLog();
  const to = givenPath();
  expect(await copyLog(path, to)).toEqual({ head: 3, leafHash: events[2]?.leafHash });
  await log.append([comment("later")]);
  expect(filesBeside(to)).toEqual(["events.db"]);
  expect(statSync(to).mode & 0o777).toBe(0o600);
  expect(new Database(to, { readonly: true }).pragma("journal_mode", { simple: true })).toBe("delete");
  expect(await openForTest(to).read(0, 9)).toEqual(events);
});

test("the copy of an empty log has no last event", async () => {
  expect(await copyLog(givenLogFile(), givenPath())).toEqual({ head: 0, leafHash: "" });
});

test("a copy does not overwrite a file", async () => {
  const { path } = await givenLog();
  const to = givenPath();
  writeFileSync(to, "precious");
  await expect(copyLog(path, to)).rejects.toMatchObject({
    name: "LogError",
    code: "disk",
    message: `${to} already exists and was not overwritten. Choose another name.`,
  });
  expect(readFileSync(to, "utf8")).toBe("precious");
});

test("a failed copy leaves nothing behind: without a log, or with an invalid target", async () => {
  const { path, log } = await givenLog();
  const to = givenPath();
  await expect(copyLog(`${path}.wrong`, to)).rejects.toThrow(`There is no event log at ${path}.wrong.`);
  await expect(copyLog(path, join(dirname(to), "missing", "events.db"))).rejects.toMatchObject({
    code: "ENOENT",
  });
  expect(filesBeside(to)).toEqual([]);
  await log.close();
  // The last connection that closes removes the journal: one that was left would keep it.
  expect(existsSync(`${path}-shm`)).toBe(false);
});

test("a log with a changed event is not copied, and the attempt leaves nothing behind", async () => {
  const { path } = await givenLog();
  const to = givenPath();
  tamper(path, "UPDATE events SET actor = 'nobody' WHERE position = 2");
  await expect(copyLog(path, to)).rejects.toMatchObject({
    code: "damaged",
    message: damageMessage(path, "the event at position 2 was changed after it was appended"),
  });
  expect(filesBeside(to)).toEqual([]);
});

test("a log with which SQLite finds fault is not copied", async () => {
  const { path } = await givenLog();
  const to = givenPath();
  tamper(
    path,
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'correlation TEXT', 'correlation TEXT NOT NULL')",
  );
  await expect(copyLog(path, to)).rejects.toMatchObject(
    coded("damaged", /^(\S+) is not an event log.*\(\S+ is damaged\.\)/),
  );
  expect(filesBeside(to)).toEqual([]);
});

const OPEN_FILES = "/proc/self/fd";
test.runIf(existsSync(OPEN_FILES))(
  "a copy, and one that fails, let go of every file that they opened",
  async () => {
    const { path, log } = await givenLog();
    const to = givenPath();
    await log.close();
    await copyLog(path, to);
    tamper(path, "DELETE FROM events WHERE position = 2");
    await expect(copyLog(path, `${to}.second`)).rejects.toMatchObject({ code: "damaged" });
    const open = readdirSync(OPEN_FILES).map((file) => linkOf(join(OPEN_FILES, file)));
    for (const folder of [dirname(path), dirname(to)]) {
      expect(open.filter((file) => file.startsWith(folder))).toEqual([]);
    }
  },
);

/** The file behind a number; of that by which the folder itself was listed there is none any more. */
function linkOf(path: string): string {
  return existsSync(path) ? readlinkSync(path) : "";
}

test("a restored log has the events of the copy, accepts appends, and has a private folder", async () => {
  const { path, events } = await givenLog();
  const copy = givenPath();
  const copied = await copyLog(path, copy);
  const to = join(dirname(givenPath()), ".ralph", "db", "events.db");
  expect(await restoreLog(copy, to)).toEqual(copied);
  expect(statSync(dirname(to)).mode & 0o777).toBe(0o700);
  expect(new Database(to, { readonly: true }).pragma("journal_mode", { simple: true })).toBe("wal");
  const log = openForTest(to, environmentAt({ now: NOON }, "restored"));
  expect(await log.read(0, 9)).toEqual(events);
  expect((await log.append([comment("four")])).events[0]?.position).toBe(4);
});

test.each(["", "-wal", "-shm", "-journal"])("nothing is restored if events.db exists%s", async (end) => {
  const { path } = await givenLog();
  const to = givenPath();
  writeFileSync(`${to}${end}`, "precious");
  await expect(restoreLog(path, to)).rejects.toMatchObject({
    code: "disk",
    message:
      `${to}${end} already holds a log, or part of one, and was not overwritten. ` +
      "Stop all programs that use the project, move that file with its -wal and -shm away, then restore again.",
  });
  expect(filesBeside(to)).toEqual([`events.db${end}`]);
});

test("a file that is not a log is not restored, and no folder is created", async () => {
  const from = givenPath();
  mkdirSync(from);
  const folder = dirname(givenPath());
  await expect(restoreLog(from, join(folder, "db", "events.db"))).rejects.toMatchObject({ code: "disk" });
  expect(readdirSync(folder)).toEqual([]);
});
