import { existsSync, renameSync, rmSync } from "node:fs";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import type { EventLog } from "../../src/events/log.ts";
import type { Draft } from "../../src/events/types/index.ts";
import { answerOf, codeOf, comment, environmentAt, id, NOON } from "./given.ts";
import { givenLogFile, openElsewhere, openForTest } from "./log-file.ts";

/*
 * A disk that fails while events are written. It fails where the log asks for a salt, which is in the midst of its
 * transaction; what a failed write has left is a file put in the place of the log. Catches: an event that is
 * acknowledged and may be lost, one that is there and denied, a failure that only one of several callers hears of.
 */
const failure = new Database.SqliteError("disk I/O error", "SQLITE_IOERR_FSYNC");
const both: readonly Draft[] = [comment("one"), comment("two", 8)];

/** A log whose disk fails once, at the first event; ids are id(1), id(2), …. */
function givenFailingLog(meanwhile: () => void = () => {}, error: unknown = failure) {
  const path = givenLogFile();
  const given = environmentAt({ now: NOON }, "disk");
  let failed = false;
  let ids = 0;
  const environment = {
    ...given,
    newId: () => id(++ids),
    newSalt(eventId: string) {
      if (failed) return given.newSalt(eventId);
      failed = true;
      meanwhile();
      throw error;
    },
  };
  return { path, log: openForTest(path, environment, 20) };
}

/** A file that holds what `append` appends, and `to` that moves it, with its journal, over another. */
async function givenOutcome(
  append: (log: EventLog) => Promise<unknown>,
  keepOpen: (path: string) => void = () => {},
) {
  const from = givenLogFile();
  keepOpen(from);
  const log = openForTest(from);
  await append(log);
  const events = await log.read(0, 9);
  await log.close();
  const replace = (path: string) => {
    for (const end of ["-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
    for (const end of ["", "-wal", "-shm"]) {
      if (existsSync(`${from}${end}`)) renameSync(`${from}${end}`, `${path}${end}`);
    }
  };
  return { events, replace };
}

const withIds = (events: readonly Draft[]) => events.map((event, index) => ({ ...event, id: id(index + 1) }));

test("a failed write is reported to all waiting callers, and the next one is tried", async () => {
  const { path, log } = givenFailingLog();
  const answers = [log.append([]), log.append([comment("one")]), log.append([comment("two")])];
  for (const answer of answers) {
    await expect(answer).rejects.toMatchObject({
      name: "LogError",
      code: "disk",
      message: `The log ${path} cannot be used: disk I/O error (SQLITE_IOERR_FSYNC).`,
      cause: failure,
    });
  }
  expect(await log.head()).toBe(0);
  expect((await log.append([comment("three")])).events[0]?.position).toBe(1);
});

test("a failed write that landed is acknowledged with its stored events", async () => {
  const { events, replace } = await givenOutcome((log) => log.append(withIds(both)));
  const { path, log } = givenFailingLog(() => replace(path));
  expect(await answerOf(log.append(both))).toEqual({ outcome: "appended_before", events });
  expect(await log.read(0, 9)).toEqual(events);
  await log.append([comment("three")]);
  await log.close();
  // The last connection that closes removes the journal: one that was left would keep it.
  expect(existsSync(`${path}-wal`)).toBe(false);
});

test("a failed write whose id landed with other content is a conflict", async () => {
  const { replace } = await givenOutcome((log) => log.append([{ ...comment("else"), id: id(1) }]));
  const { path, log } = givenFailingLog(() => replace(path));
  await expect(log.append([comment("one")])).rejects.toMatchObject({
    code: "id_conflict",
    message: `The id ${id(1)} at position 1 belongs to an event with other content. A new event needs a new id.`,
  });
});

const unknown = {
  name: "LogError",
  code: "commit_unknown",
  message:
    "The disk failed while these events were being written; they may or may not be in the log. Append them again with the same ids.",
};

test.each([
  ["reads what was there before", "BEGIN; SELECT * FROM events", ""],
  ["writes", "SELECT * FROM events", "BEGIN IMMEDIATE"],
])(
  "a landed write is not acknowledged while another process that %s keeps it from the disk",
  async (_who, early, late) => {
    let other: Database.Database | undefined;
    const { replace } = await givenOutcome(
      (log) => log.append(withIds(both)),
      (from) => {
        other = openElsewhere(from);
        other.exec(early);
      },
    );
    const { path, log } = givenFailingLog(() => {
      replace(path);
      other?.exec(late);
    });
    const answers = [log.append([comment("one")]), log.append([comment("two", 8)])];
    for (const answer of answers) {
      await expect(answer).rejects.toMatchObject({
        ...unknown,
        cause: { message: "The WAL could not be written back." },
      });
    }
  },
);

test("a write to a removed file has an unknown outcome, and so have later ones until the file is back", async () => {
  const { path, log } = givenFailingLog(() => renameSync(path, `${path}.gone`));
  const gone = {
    code: "disk",
    message: `There is no event log at ${path}. Create a project with \`signalbox init\`.`,
  };
  await expect(log.append([comment("one")])).rejects.toMatchObject({ ...unknown, cause: gone });
  await expect(log.read(0, 1)).rejects.toMatchObject(gone);
  await expect(log.append([comment("two")])).rejects.toMatchObject({ ...unknown, cause: gone });
  renameSync(`${path}.gone`, path);
  expect(await log.read(0, 1)).toEqual([]);
  expect(await codeOf(log.append([comment("three")]))).toBe("none");
});

test("a bug's error reaches the caller unchanged, and is not retried", async () => {
  const bug = new TypeError("no salt");
  const { log } = givenFailingLog(() => {}, bug);
  await expect(log.append([comment("one")])).rejects.toBe(bug);
  expect(await log.head()).toBe(0);
});

test("a log whose file was removed or replaced records nothing, and says so", async () => {
  for (const another of [false, true]) {
    const path = givenLogFile();
    const log = openForTest(path);
    await log.append([comment("one")]);
    renameSync(path, `${path}.taken`);
    if (another) renameSync(givenLogFile(), path);
    const told = { code: "disk", message: expect.stringContaining("was moved away, removed or replaced") };
    await expect(log.append([comment("two")])).rejects.toMatchObject(told);
    await expect(log.head()).rejects.toMatchObject(told);
  }
});
