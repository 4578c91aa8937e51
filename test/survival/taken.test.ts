import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import { useChild } from "../children.ts";
import { comments, everythingIn, temporaryFolder } from "../events/given.ts";
import { verifyLog } from "../support/audited-files.ts";
import { campaign, type Figures } from "./campaign.ts";
import { type Answer, OtherProcess } from "./other-process.ts";

/*
 * Real processes that have a log open, and files of it that are taken away. Catches: an acknowledged event that is only in
 * a file that nobody finds, a position that is given twice, a process that writes past others, a loss that is not told.
 */
const startProcess = useChild("test/survival/children/work-on-project.ts");

/** Where what was acknowledged before must be afterwards; undefined where it is gone with the file, and named. */
type Taking = (path: string) => string | undefined;

const TAKINGS: readonly Taking[] = [
  (path) => remove(path, "-wal"),
  (path) => remove(path, "-shm"),
  (path) => remove(path, "-wal", "-shm"),
  (path) => move(path, "-wal") && path,
  (path) => {
    const moved = move(path, "");
    symlinkSync(moved, path);
    return moved;
  },
  (path) => move(path, ""),
  (path) => {
    const moved = move(path, "");
    createLogFile(`${path}.another`);
    renameSync(`${path}.another`, path);
    return moved;
  },
  (path) => {
    remove(path, "");
    return undefined;
  },
];

function remove(path: string, ...ends: readonly string[]): string {
  // A process that sees that the -wal is gone may end its connections, and with the last one the -shm.
  for (const end of ends) rmSync(`${path}${end}`, { force: end === "-shm" });
  return path;
}

/** Into another folder, which has no journal. */
function move(path: string, end: string): string {
  const folder = `${path}.moved`;
  mkdirSync(folder, { recursive: true });
  renameSync(`${path}${end}`, join(folder, `events.db${end}`));
  return join(folder, "events.db");
}

/** An append after a file was taken away or before, and what it was answered. */
interface Said extends Answer {
  readonly bodies: string;
}

/** What two processes that had the log open, and one that comes later, do after a file was taken away. */
type Course = (
  first: OtherProcess,
  second: OtherProcess,
  start: () => Promise<OtherProcess>,
) => Promise<{ readonly told: readonly Said[]; readonly late?: readonly Said[] }>;

const COURSES: readonly Course[] = [
  async (first, second) => ({ told: [await append(first, 1, "past"), await append(second, 1, "past too")] }),
  async (first, second) => ({
    told: await Promise.all([first, second].map((one) => append(one, 2, "past"))),
  }),
  async (first, second, start) => {
    const [late, told] = await Promise.all([appendLate(start), append(first, 1, "past")]);
    return { told: [told, await append(second, 1, "past")], late };
  },
  async (first, second, start) => {
    const told = [await append(first, 1, "past"), await append(second, 1, "past")];
    return { told, late: await appendLate(start) };
  },
  async (first, second) => {
    await Promise.all([first.end(), second.end()]);
    return { told: [] };
  },
];

async function append(one: OtherProcess, count: number, bodies: string): Promise<Said> {
  return { ...(await one.append(comments(count, bodies))), bodies };
}

/** What opens the log later works on whatever is there, or is refused. */
async function appendLate(start: () => Promise<OtherProcess>): Promise<readonly Said[]> {
  try {
    return [await append(await start(), 3, "late")];
  } catch (refused) {
    expect(String(refused)).toMatch(
      /was moved away or removed while|is a symbolic link|There is no event log/,
    );
    return [];
  }
}

campaign({
  line: "taken",
  promise:
    "a file of the log is removed, moved, replaced or made a symbolic link while processes append: nothing more is acknowledged, no position is given twice, and what was acknowledged is there or its positions are named",
  small: 16,
  large: 1_000,
  atOnce: 2,
  open: () => undefined,
  async point(number): Promise<Figures> {
    const folder = temporaryFolder();
    const processes: OtherProcess[] = [];
    const path = join(folder.path, "ralph.db");
    const log = logPathBeside(path);
    createLogFile(log);
    const start = async () => {
      const started = new OtherProcess(startProcess(path));
      processes.push(started);
      return started.ready();
    };
    try {
      const take = pick(TAKINGS, number);
      const course = pick(COURSES, number);
      const [first, second] = [await start(), await start()];
      const before = [await append(first, 1 + (number % 30), "before")];
      if (number % 3 > 0) before.push(await append(second, 2, "before too"));
      const place = take(log);
      const { told, late = [] } = await course(first, second, start);
      await Promise.all(processes.map((one) => one.kill()));
      // Whoever looks at the path first finds another log than the one that it knew.
      const refusals = ["disk", "commit_unknown", "unknown_log"];
      for (const { outcome, positions } of told) {
        expect(refusals).toContain(outcome);
        expect(positions).toEqual([]);
      }
      const named = told.filter(({ message }) => message?.includes("may be lost"));
      if (place === undefined) return { gone: 1, named: named.length };
      // Another log that lies there now has positions of its own.
      await expectAcknowledged(place, [...before, ...(place === log ? late : [])]);
      return { kept: 1, told: told.length };
    } finally {
      await Promise.all(processes.map((one) => one.kill()));
      folder.remove();
    }
  },
  conclude({ kept, told, named }) {
    for (const figure of [kept, told, named]) expect(figure).toBeGreaterThan(0);
  },
});

function pick<Item>(items: readonly Item[], number: number): Item {
  const item = items[number % items.length];
  if (item === undefined) throw new Error("There is nothing to pick from.");
  return item;
}

async function expectAcknowledged(path: string, said: readonly Said[]): Promise<void> {
  const acknowledged = said.flatMap(({ positions, bodies }) =>
    positions.map((position, index) => ({ position, payload: { body: `${bodies} ${index + 1}` } })),
  );
  expect((await verifyLog(path)).damage).toBeUndefined();
  const log = openSqliteLog(path, systemEnvironment());
  try {
    const events = await everythingIn(log);
    const there = acknowledged.map(({ position }) => events[position - 1] ?? {});
    expect(there).toMatchObject(acknowledged);
  } finally {
    await log.close();
  }
}
