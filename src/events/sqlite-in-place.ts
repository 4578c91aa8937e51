import { lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { LogError } from "./log-error.ts";
import type { Microseconds } from "./time.ts";

/** Which three files a log's open handles write to: the log, its journal (-wal) and the journal's index (-shm). */
export interface FilesInPlace {
  /** The first of them whose name no longer leads to the file that is open; undefined where all are in place. */
  taken(): string | undefined;
  /** Whether the log's name still leads to the open file, be it by a symbolic link. */
  isReachable(): boolean;
  /** Whether another process has begun a new -wal or -shm, past which the open handles would write. */
  hasSuccessor(): boolean;
}

/** Remembers the files that the names lead to now: to be called right after a log was opened. */
export function filesInPlace(path: string, now: () => Microseconds): FilesInPlace {
  const files = [path, ...journalsOf(path)];
  const known = new Map(files.map((file) => [file, identityOf(file)]));
  const isOther = (file: string, name = file) => {
    const now = identityOf(file);
    return now !== undefined && now !== known.get(name);
  };
  const isSameFolder = folderWatch(dirname(path), now);
  return {
    // A file that was not there at opening is not needed by what was opened.
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
 * Each append looks twice, so it looks at the folder first: a name in it that comes to lead elsewhere changes its time.
 *
 * @returns whether nothing in the folder was added, removed or replaced since the last call; false too where that is not known
 */
function folderWatch(folder: string, now: () => Microseconds): () => boolean {
  let settled: Stats | undefined;
  return () => {
    // A number has a time to the quarter of a microsecond, which tells ticks apart, in less time than a bigint.
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
    // Two changes within a tick of the clock have the same time: until the tick is over, a second one could come.
    settled = seen && now() / 1_000 - seen.ctimeMs > TICK_MS ? seen : undefined;
    return false;
  };
}

/** File systems keep times by the kernel's tick, of at most 10 ms; some to the second or two. */
const TICK_MS = 3_000;

/**
 * What is told when `file` was taken away.
 *
 * @param savedIn the log's file, if everything that was acknowledged is in it
 * @param acknowledged the first and the last position that were acknowledged here
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
  return `The events acknowledged here, ${positions}, may be lost: put the file back, and look for them with \`signalbox log\`.`;
}

/**
 * SQLite makes a new -wal where it finds none. If another process still has the log open, its -wal was removed, and the
 * two would write past each other: such a log is not opened.
 *
 * @throws LogError `disk`
 */
export function checkJournalInPlace(path: string): void {
  const wal = `${realPath(path)}-wal`;
  for (let look = 0; look < LOOKS; look++) {
    // The other process may have been about to make its -wal, or to remove it with the log's last handle.
    if (identityOf(wal) !== undefined || !isOpenElsewhere(path)) return;
  }
  throw new LogError(
    "disk",
    `${wal} was moved away or removed while another process has the log open: its last events may be in no other file. ` +
      "Stop the processes that have the log open, but not with SIGKILL: the last one to end writes its events back. Then try again.",
  );
}

const LOOKS = 20;
const LOOK_MS = 100;

/** Everybody who has a log open in WAL mode shares a lock on it, whichever -wal and -shm they use. */
function isOpenElsewhere(path: string): boolean {
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { fileMustExist: true, timeout: LOOK_MS });
    database.pragma("locking_mode = EXCLUSIVE");
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    return false;
  } catch (error) {
    // Whatever else is wrong is told by opening it in earnest.
    return error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
  } finally {
    database?.close();
  }
}

function journalsOf(path: string): string[] {
  return ["-wal", "-shm"].map((end) => `${path}${end}`);
}

/** SQLite follows links, and puts the journal beside the file that they lead to. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Tells a file from every other that has had its name; a symbolic link is a file of its own. */
function identityOf(path: string, look: typeof lstatSync | typeof statSync = lstatSync): string | undefined {
  const file = look(path, { bigint: true, throwIfNoEntry: false });
  return file && `${file.dev} ${file.ino}`;
}
