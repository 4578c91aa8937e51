import { existsSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { LogError } from "../../src/lib/log-error.ts";
import { useChild } from "../children.ts";
import { verifyLog } from "../support/audited-files.ts";
import { coded } from "../support/refusal.ts";
import { comment, comments, environmentAt, everythingIn, id, NOON } from "./given.ts";
import { givenLogFile, openElsewhere, openForTest } from "./log-file.ts";

/*
 * Files of a log that are taken away while it is open. Catches: an event that is acknowledged and lies in a file that goes
 * with its last handle, one that was acknowledged before and is lost, two processes that write past each other, a check
 * that sees one file and not the others.
 */
const startWriter = useChild("test/events/children/write-past.ts");

const TAKINGS: readonly (readonly [what: string, take: (path: string) => void])[] = Object.entries({
  "the -wal is removed": (path: string) => rmSync(`${path}-wal`),
  "the -shm is removed": (path: string) => rmSync(`${path}-shm`),
  "both are removed": (path: string) => {
    for (const end of ["-wal", "-shm"]) rmSync(`${path}${end}`);
  },
  "the log is replaced by a symbolic link": (path: string) => {
    renameSync(path, `${path}.elsewhere`);
    symlinkSync(`${path}.elsewhere`, path);
  },
});
const isTold = expect.stringMatching(/events\.db(-wal|-shm)? was moved away, removed or replaced/);

test.each(TAKINGS)(
  "when %s, the next append fails with the reason, and all that was acknowledged is kept",
  async (_, take) => {
    const path = givenLogFile();
    const log = openForTest(path);
    for (const event of comments(30)) await log.append([event]);
    take(path);
    const told = { code: "disk", message: isTold };
    await expect(log.append([comment("past")])).rejects.toMatchObject(told);
    await expect(log.append([comment("past")])).rejects.toMatchObject(told);
    await expect(log.read(0, 1)).rejects.toMatchObject(told);
    await expect(log.head()).rejects.toMatchObject({ message: expect.stringContaining(`are in ${path}`) });
    await expectWhole(path, 30);
  },
);

test.each(TAKINGS)(
  "when %s, a follower gets the error, and closing keeps the acknowledged events",
  async (_, take) => {
    const path = givenLogFile();
    const log = openForTest(path);
    await log.append(comments(30));
    const failure = new Promise((_resolve, reject) => log.follow(30).subscribe({ error: reject }));
    take(path);
    await expect(failure).rejects.toMatchObject({ code: "disk", message: isTold });
    await log.close();
    await expectWhole(path, 30);
  },
);

test.each(TAKINGS)(
  "when %s while an append is written, it is not acknowledged, and can be sent again",
  async (_, take) => {
    const path = givenLogFile();
    const given = environmentAt({ now: NOON }, "taken");
    let salts = 0;
    const log = openForTest(path, {
      ...given,
      newSalt(eventId) {
        if (++salts === 2) take(path);
        return given.newSalt(eventId);
      },
    });
    const first = await log.append([{ ...comment("before"), id: id(1) }]);
    const during = { ...comment("during"), id: id(2) };
    await expect(log.append([during])).rejects.toMatchObject({ code: "commit_unknown", message: isTold });
    await log.close();
    if (isLink(path)) renameSync(`${path}.elsewhere`, path);
    const again = openForTest(path, given);
    expect(await everythingIn(again)).toMatchObject([first.events[0] ?? {}, {}].slice(0, await again.head()));
    expect((await again.append([during])).events).toMatchObject([{ position: 2, id: id(2) }]);
  },
);

test.each([["-wal"], ["-wal", "-shm"]])(
  "a new -wal of another program is not overwritten, and the lost positions are named",
  async (...ends) => {
    const path = givenLogFile();
    const log = openForTest(path);
    await log.append(comments(2));
    await log.append(comments(28));
    for (const end of ends) rmSync(`${path}${end}`);
    const other = startWriter(path);
    // It says that it wrote, or ends, as SQLite found the -shm of a -wal that is gone.
    await other.lines.next();
    await expect(log.append([comment("past")])).rejects.toMatchObject(
      coded("disk", "The events acknowledged here, positions 1 to 30, may be lost"),
    );
    await other.kill();
    await log.close();
    expect(existsSync(`${path}-wal`)).toBe(true);
    // With the -shm still shared, what the other wrote stands behind a gap that nobody can read across.
    if (ends.length > 1) expect(tablesIn(path)).toContain("past");
  },
);

test("a log whose -wal was removed while another process has it open is refused", async () => {
  const path = givenLogFile();
  const log = openForTest(path);
  await log.append(comments(30));
  rmSync(`${path}-wal`);
  const refused = { code: "disk", message: expect.stringContaining("-wal was moved away or removed while") };
  for (const open of [openForTest, createLogFile]) {
    expect(
      refusalOf(() => open(path)),
      open.name,
    ).toMatchObject(refused);
  }
  await expect(verifyLog(path)).rejects.toMatchObject(refused);
  expect(existsSync(`${path}-wal`)).toBe(false);
  await log.close();
  await expectWhole(path, 30);
});

test("a log that is a symbolic link is not opened, and none is made behind one", async () => {
  const path = givenLogFile();
  symlinkSync(basename(path), `${path}.link`);
  for (const open of [openForTest, createLogFile]) {
    expect(
      refusalOf(() => open(`${path}.link`)),
      open.name,
    ).toMatchObject(coded("disk", "is a symbolic link"));
  }
});

function tablesIn(path: string): unknown[] {
  return openElsewhere(path).prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
}

function isLink(path: string): boolean {
  return existsSync(`${path}.elsewhere`);
}

/** Nobody has it open any more. */
async function expectWhole(path: string, head: number): Promise<void> {
  if (isLink(path)) renameSync(`${path}.elsewhere`, path);
  expect(await verifyLog(path)).toMatchObject({ events: head, damage: undefined });
}

function refusalOf(open: () => unknown): LogError | undefined {
  try {
    open();
    return undefined;
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    return error;
  }
}
