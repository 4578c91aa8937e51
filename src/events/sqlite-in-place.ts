import { lstatSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { LogError } from "../lib/log-error.ts";
import { refuseLink } from "../lib/project-folder.ts";
import type { Microseconds } from "../lib/time.ts";

/**
 * The three files that a log's open handles use: the log, its journal (-wal) and the journal's
 * index (-shm).
 */
export interface FilesInPlace {
  /** The first file whose name no longer leads to the open file; undefined if all are in place. */
  taken(): string | undefined;
  /** Whether the log's name still leads to the open file, also through a symbolic link. */
  isReachable(): boolean;
  /**
   * Whether another process has created a new -wal or -shm, which the open handles would bypass.
   */
  hasSuccessor(): boolean;
}

/** Remembers the files behind the names; call it right after opening a log. */
export function filesInPlace(path: string, now: () => Microseconds): FilesInPlace {
  const files = [path, ...journalsOf(path)];
  const known = new Map(files.map((file) => [file, identityOf(file)]));
  const isOther = (file: string, name = file) => {
    const now = identityOf(file);
    return now !== undefined && now !== known.get(name);
  };
  const isSameFolder = folderWatch(dirname(path), now);
  return {
    // A file that was missing at opening is not in use.
    taken: () =>
      isSameFolder()
        ? undefined
        : files.find((file) => known.get(file) !== undefined && identityOf(file) !== known.get(file)),
    isReachable: () => identityOf(path, statSync) === known.get(path),
    hasSuccessor: () =>
      journalsOf(path).some(
        (file, index) => isOther(file) || isOther(journalsOf(realPath(path))[index] ?? file, file),
      ),
  };
}

/**
 * Each append checks twice, so it checks the folder's mtime first: that changes whenever a name in
 * it is added, removed or replaced.
 *
 * @returns whether the folder is known to be unchanged since the last call
 */
function folderWatch(folder: string, now: () => Microseconds): () => boolean {
  let settled: Stats | undefined;
  return () => {
    // A number keeps mtimes to a quarter of a microsecond, enough to tell ticks apart, and is
    // faster than a bigint.
    const seen = statSync(folder, { throwIfNoEntry: false });
    if (
      seen &&
      settled &&
      seen.ctimeMs === settled.ctimeMs &&
      seen.ino === settled.ino &&
      seen.dev === settled.dev
    ) {
      return true;
    }
    // Two changes within one clock tick have the same time: until the tick is over, a second one
    // could follow unseen.
    settled = seen && now() / 1_000 - seen.ctimeMs > TICK_MS ? seen : undefined;
    return false;
  };
}

/** File systems round times to the kernel's tick, at most 10 ms; some to one or two seconds. */
const TICK_MS = 3_000;

/**
 * The error after `file` was removed or replaced.
 *
 * @param savedIn the log's file, if it contains everything that was acknowledged
 * @param acknowledged the first and the last position that this process acknowledged
 */
export function takenError(
  file: string,
  savedIn: string | undefined,
  acknowledged: readonly [first: number, last: number] | undefined,
): LogError {
  const found =
    `${file} was moved away, removed or replaced while the log was open, so nothing more is recorded here. ` +
    "(git stash, git checkout and git clean do that if .ralph/ is not ignored.)";
  return new LogError("disk", `${found} ${whatIsKept(savedIn, acknowledged)}`);
}

function whatIsKept(
  savedIn: string | undefined,
  acknowledged: readonly [first: number, last: number] | undefined,
): string {
  if (savedIn !== undefined) {
    return `All acknowledged events are in ${savedIn}. Start this program again.`;
  }
  if (!acknowledged) return "Put the file back, and start this program again.";
  const [first, last] = acknowledged;
  const positions = first === last ? `position ${first}` : `positions ${first} to ${last}`;
  return (
    `The events acknowledged here, ${positions}, may be lost: put the file back, then look for them ` +
    "with `signalbox log`."
  );
}

/**
 * SQLite creates a missing -wal. If another process still has the log open, its -wal was removed,
 * and the two would overwrite each other: refuses to open such a log.
 *
 * @throws LogError `disk`
 */
export function checkJournalInPlace(path: string): void {
  refuseForeignJournals(realPath(path));
  const wal = `${realPath(path)}-wal`;
  for (let look = 0; look < LOOKS; look++) {
    // The other process may be just creating its -wal, or removing it with the log's last handle.
    if (identityOf(wal) !== undefined || !isOpenElsewhere(path)) return;
  }
  throw new LogError(
    "disk",
    `${wal} was moved away or removed while another process has the log open: the last events may ` +
      "be in no other file. Stop the processes that have the log open, but not with SIGKILL: the last " +
      "one to exit writes its events back. Then try again.",
  );
}

const LOOKS = 20;
const LOOK_MS = 100;

/**
 * What SQLite finds beside a database it takes for the database's own pages, so these files must be its owner's or the user's. A log
 * is in WAL mode from its first page on: a rollback journal beside a whole one comes from elsewhere, and would replace its pages.
 *
 * @throws LogError `disk`
 */
export function refuseForeignJournals(path: string): void {
  const log = statSync(path, { throwIfNoEntry: false });
  if (!log) return;
  const journal = `${path}-journal`;
  for (let look = 0; log.size > FIRST_PAGE_BYTES && changesLog(path, journal); look++) {
    if (look === LOOKS) {
      throw new LogError(
        "disk",
        `${journal} is a rollback journal, which no log of signalbox has: SQLite would put its pages over the log's. So the log is not ` +
          "opened. Find out what wrote it (`git log --all -- FILE` if git did), and move it away.",
      );
    }
    // Another process may be just creating the log.
    pause(LOOK_MS);
  }
  const owners = new Set([log.uid, process.getuid?.() ?? log.uid]);
  for (const file of [journal, ...journalsOf(path)]) {
    refuseLink(file, "Move it away; it belongs to no log.");
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found && !owners.has(found.uid))
      throw new LogError(
        "disk",
        `${file} belongs to user ${found.uid}, who could change the log by it. So the log is not opened. Find out what wrote it, and take ownership with \`chown\`.`,
      );
  }
}

/**
 * Whether SQLite would change a log by its rollback journal. It would not by one of ours: a log that was being made one file
 * (one-file.ts) when its process was killed has the same first page in it, but for the version and the change counters (SQLite's
 * file format, 1.3: The Database Header, and 3: The Rollback Journal).
 */
function changesLog(path: string, journal: string): boolean {
  const found = lstatSync(journal, { throwIfNoEntry: false });
  if (!found || found.size === 0) return false;
  if (!found.isFile() || found.size > JOURNAL_OF_ONE_BYTES) return true;
  const [log, bytes] = [readFileSync(path), readFileSync(journal)];
  // Until its records are on disk it has no magic number, and SQLite ignores it.
  if (bytes.subarray(0, 12).every((byte) => byte === 0)) return false;
  if (bytes.length < 28 || bytes.readBigUInt64BE() !== JOURNAL_MAGIC) return true;
  const [pages, sector, size] = [16, 20, 24].map((at) => bytes.readUInt32BE(at)) as [number, number, number];
  if (pages * size !== log.length) return true;
  if (bytes.length <= sector) return false;
  const page = bytes.subarray(sector + 4, sector + 4 + size);
  const isOnlyRecord = bytes.length === sector + size + 8 && bytes.readUInt32BE(sector) === 1;
  return !isOnlyRecord || !page.every((byte, at) => byte === log[at] || OFTEN_WRITTEN.has(at));
}

const JOURNAL_MAGIC = 0xd9d505f920a163d7n;
const JOURNAL_OF_ONE_BYTES = 16_384;
/** Where a database's header says how it is written and which change was the last. */
const OFTEN_WRITTEN = new Set([18, 19, 24, 25, 26, 27, 92, 93, 94, 95, 96, 97, 98, 99]);

/** A log that is just being created has no more. */
const FIRST_PAGE_BYTES = 4_096;

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/**
 * All processes that have a log open in WAL mode share a lock on it, whichever -wal and -shm they
 * use.
 */
function isOpenElsewhere(path: string): boolean {
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { fileMustExist: true, timeout: LOOK_MS });
    database.pragma("locking_mode = EXCLUSIVE");
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    return false;
  } catch (error) {
    // Opening the log reports any other fault.
    return error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
  } finally {
    database?.close();
  }
}

function journalsOf(path: string): string[] {
  return ["-wal", "-shm"].map((end) => `${path}${end}`);
}

/** SQLite follows links, and puts the journal beside their target. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Tells a file from all that ever had its name, also from one that got its number after it. */
export function traceOf(path: string): string | undefined {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false });
  return file && `${file.ino} ${file.birthtimeNs}`;
}

/** Identifies a file among all that ever had its name; a symbolic link is a file of its own. */
function identityOf(path: string, look: typeof lstatSync | typeof statSync = lstatSync): string | undefined {
  const file = look(path, { bigint: true, throwIfNoEntry: false });
  return file && `${file.dev} ${file.ino}`;
}
