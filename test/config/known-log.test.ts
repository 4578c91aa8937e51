import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test, vi } from "vitest";
import { initProject, openProject, readModelPathIn } from "../../src/api/project.ts";
import { knownLog, trustLog } from "../../src/config/known-log.ts";
import { projectState } from "../../src/config/project-state.ts";
import { closeStore, openStore } from "../../src/decisions/store.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { movedFrom } from "../../src/events/sqlite-moved.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { gates } from "../../src/projections/board/tables.ts";
import { tamper, tamperWith } from "../events/log-file.ts";
import { recomputedLeafHash, storedRows } from "../events/stored-rows.ts";
import { freshFolder, reopened } from "../support/project.ts";
import { coded } from "../support/refusal.ts";

/* Catches: a log from elsewhere, or one that was changed from outside, from which something runs or in which something is recorded. */

const GATE = { command: "true", max: 3, timeout_s: 10 };

/** A project at rest with `tasks`, each with a gate. */
async function given(tasks = 3) {
  const folder = freshFolder();
  await initProject(folder);
  await addTasks(folder, tasks);
  const db = readModelPathIn(folder);
  return { folder, db, log: logPathBeside(db) };
}

const addTasks = (folder: string, count: number) =>
  reopened(folder, async (project) => {
    for (let task = 0; task < count; task++)
      await project.decide(createTask({ title: "Export", gates: [GATE] }));
  });

const standingIn = (folder: string) => reopened(folder, async ({ store, log }) => store.guard?.standing(log));

test("a log that was made here, and continued by any process, is known", async () => {
  const { folder, db } = await given();
  expect(await standingIn(folder)).toBe("known");
  await addTasks(folder, 2);
  expect(await standingIn(folder)).toBe("known");
  const known = knownLog(projectState(db));
  expect(known?.size).toBe(await reopened(folder, ({ log }) => log.head()));
});

type Given = Awaited<ReturnType<typeof given>>;

/** What somebody does to a log while nobody has it open. */
const CHANGES: readonly (readonly [string, string, (given: Given) => Promise<void> | void])[] = [
  ["another project's log", "replaced", async ({ log }) => copyFileSync((await given(5)).log, log)],
  [
    "an older copy of it",
    "truncated",
    async ({ folder, log }) => {
      const copy = join(freshFolder(), "copy.db");
      copyFileSync(log, copy);
      await addTasks(folder, 1);
      copyFileSync(copy, log);
    },
  ],
  [
    "an older copy in a file of its own",
    "truncated",
    async ({ folder, log }) => {
      const copy = join(freshFolder(), "copy.db");
      copyFileSync(log, copy);
      await addTasks(folder, 1);
      rmSync(log);
      copyFileSync(copy, log);
    },
  ],
  [
    "its last events cut off",
    "truncated",
    ({ log }) =>
      tamper(log, "DELETE FROM events WHERE position > 3; DELETE FROM streams WHERE name = 'task-3'"),
  ],
  ["an early event rewritten", "rewritten", ({ log }) => tamperWith(log, (database) => forge(database, 2))],
  [
    "an early event rewritten in a copy of the file",
    "rewritten",
    ({ log }) => {
      const copy = `${log}.copy`;
      copyFileSync(log, copy);
      tamperWith(copy, (database) => forge(database, 2));
      rmSync(log);
      copyFileSync(copy, log);
    },
  ],
  [
    "a journal that rewrites an early event",
    "rewritten",
    async ({ log }) => {
      const forged = join(freshFolder(), "forged.db");
      copyFileSync(log, forged);
      const database = new Database(forged);
      database.pragma("journal_mode = WAL");
      database.pragma("wal_autocheckpoint = 0");
      for (const name of triggersIn(database)) database.exec(`DROP TRIGGER "${name}"`);
      forge(database, 2);
      copyFileSync(`${forged}-wal`, `${log}-wal`);
      database.close();
    },
  ],
];

/** Rewrites an event with its hash, so that each event looks as it was appended. */
function forge(database: Database.Database, position: number): void {
  database.exec(`UPDATE events SET actor = 'forged' WHERE position = ${position}`);
  const row = storedRows(database)[position - 1];
  const leaf = row && Buffer.from(recomputedLeafHash(row), "hex");
  database.prepare(`UPDATE events SET leaf_hash = ? WHERE position = ${position}`).run(leaf);
}

function triggersIn(database: Database.Database): string[] {
  return database.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all();
}

test.each(CHANGES)(
  "nothing is recorded in %s, which is read all the same, until it is trusted",
  async (...row) => {
    const [, standing, change] = row;
    const project = await given();
    await change(project);
    const store = await openStore(project.db, systemEnvironment());
    try {
      expect(await store.guard?.standing(store.log)).toBe(standing);
      const before = await store.log.head();
      await expect(
        store.log.append([
          { type: "task.created", actor: "human", payload: { task: 99, title: "x" } } as never,
        ]),
      ).rejects.toMatchObject(coded("unknown_log", "signalbox log trust"));
      expect(await store.log.head()).toBe(before);
    } finally {
      await closeStore(store);
    }
    await reopened(project.folder, ({ log }) => trustLog(log, project.db));
    expect(await standingIn(project.folder)).toBe("known");
  },
);

test("a copy of a project is another project", async () => {
  const { folder } = await given();
  const copy = join(freshFolder(), "copy");
  cpSync(folder, copy, { recursive: true });
  expect(await standingIn(copy)).toBe("unknown");
  await expect(addTasks(copy, 1)).rejects.toMatchObject({ code: "unknown_log" });
  expect(await standingIn(folder)).toBe("known");
});

test("a state folder that others may write is not believed", async () => {
  const { folder, db } = await given();
  execFileSync("chmod", ["g+w", join(projectState(db).folder, "log.json")]);
  await expect(addTasks(folder, 1)).rejects.toMatchObject({ code: "no_state" });
});

test("a read model that was not made here is made anew from the log", async () => {
  const { folder, db } = await given(1);
  for (const change of [
    (path: string) => {
      const database = new Database(path);
      database.exec("UPDATE gates SET command = 'touch forged'");
      database.close();
      // As git writes a file.
      const copy = `${path}.copy`;
      copyFileSync(path, copy);
      rmSync(path);
      cpSync(copy, path);
      rmSync(copy);
    },
    (path: string) => {
      const other = new Database(path);
      other.exec("UPDATE gates SET command = 'touch forged'");
      other.exec(
        "CREATE TRIGGER forged AFTER INSERT ON gates BEGIN UPDATE gates SET command = 'touch forged'; END",
      );
      other.pragma("application_id = 1");
      other.close();
    },
    (path: string) => writeFileSync(`${path}-journal`, Buffer.alloc(512, 1)),
  ]) {
    change(db);
    const commands = await reopened(folder, (project) =>
      project.ask((tables) =>
        tables
          .rowsOf({ gates })
          .gates.scan()
          .map(({ command }) => command),
      ),
    );
    expect(commands).toEqual(["true"]);
    const database = new Database(db, { readonly: true });
    expect(triggersIn(database)).not.toContain("forged");
    database.close();
  }
});

test.each([
  [
    "a rollback journal",
    "events.db-journal",
    (path: string) => writeFileSync(path, Buffer.alloc(512, 1)),
    /rollback journal/,
  ],
  [
    "a rollback journal that ends the log at its first page",
    "events.db-journal",
    (path: string) => writeFileSync(path, journalOf(1)),
    /rollback journal/,
  ],
  [
    "a rollback journal with another first page",
    "events.db-journal",
    (path: string) =>
      writeFileSync(
        path,
        journalOf(statSync(path.replace("-journal", "")).size / PAGE, Buffer.alloc(PAGE, 1)),
      ),
    /rollback journal/,
  ],
  [
    "a journal that is a link",
    "events.db-wal",
    (path: string) => symlinkSync("/dev/null", path),
    /symbolic link/,
  ],
  [
    "an index that is a link",
    "events.db-shm",
    (path: string) => symlinkSync("/dev/null", path),
    /symbolic link/,
  ],
  ["a journal of another user", "events.db-wal", anothers, /belongs to user/],
] as const)("a log with %s beside it is not opened", async (_what, name, make, words) => {
  if (name.endsWith("wal") && make === anothers && process.getuid?.() !== 0) return;
  const { folder, log } = await given();
  const before = readdirSync(join(folder, ".ralph/db"));
  make(join(folder, ".ralph/db", name));
  await expect(openProject(folder)).rejects.toMatchObject({
    code: "disk",
    message: expect.stringMatching(words),
  });
  rmSync(join(folder, ".ralph/db", name));
  expect(readdirSync(join(folder, ".ralph/db"))).toEqual(before);
  expect(await standingIn(folder), "what was there is whole").toBe("known");
  expect(existsSync(log)).toBe(true);
});

test("a log whose program was killed while it made it one file is asked where it went, and opened", async () => {
  for (const use of [movedFrom, undefined]) {
    const { folder, log } = await given();
    const bytes = readFileSync(log);
    writeFileSync(`${log}-journal`, journalOf(bytes.length / PAGE, bytes.subarray(0, PAGE)));
    expect(use?.(log)).toBeUndefined();
    if (use) expect(existsSync(`${log}-journal`)).toBe(false);
    expect(await standingIn(folder)).toBe("known");
  }
});

const PAGE = 4_096;

/** @param pages how many the database had at the transaction's begin @param first its first page (SQLite's file format, 3) */
function journalOf(pages: number, first?: Buffer): Buffer {
  const header = Buffer.alloc(512);
  header.writeBigUInt64BE(0xd9d505f920a163d7n);
  for (const [at, value] of [
    [8, first ? 1 : 0],
    [16, pages],
    [20, 512],
    [24, PAGE],
  ] as const)
    header.writeUInt32BE(value, at);
  if (!first) return header;
  const [number, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  number.writeUInt32BE(1);
  for (let at = PAGE - 200; at > 0; at -= 200) sum.writeUInt32BE(sum.readUInt32BE() + (first[at] ?? 0));
  return Buffer.concat([header, number, first, sum]);
}

function anothers(path: string): void {
  writeFileSync(path, "");
  execFileSync("chown", ["12345", path]);
}

test.each(["events.db-wal", "events.db-shm", "ralph.db-wal"])(
  "a log whose %s git tracks is not opened, and the command that mends it is told",
  async (name) => {
    const { folder } = await given();
    const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, stdio: "pipe" });
    git("init", "--quiet");
    writeFileSync(join(folder, ".ralph/db", name), "");
    expect(await standingIn(folder), "git tracks nothing yet").toBe("known");
    writeFileSync(join(folder, ".ralph/db", name), "");
    git("add", "--force", `.ralph/db/${name}`);
    await expect(openProject(folder)).rejects.toMatchObject(coded("disk", `git rm -f ${name}`));
    git("rm", "--quiet", "-f", `.ralph/db/${name}`);
    expect(await standingIn(folder)).toBe("known");
  },
);

test("a log that was left properly, or only read, is known again without reading all of it", async () => {
  const { folder } = await given();
  for (const _ of ["after its writer", "after a reader", "after another"]) {
    await reopened(folder, async ({ store, log }) => {
      await log.head();
      const audit = vi.spyOn(log, "audit");
      expect(await store.guard?.standing(log)).toBe("known");
      expect(audit).not.toHaveBeenCalled();
    });
  }
});
