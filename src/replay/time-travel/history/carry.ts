import { isDeepStrictEqual } from "node:util";
import Database from "better-sqlite3";
import { Refusal } from "../../../decisions/refusal.ts";
import type { EventLog } from "../../../events/log.ts";
import { auditFile } from "../../../events/sqlite-audit.ts";
import { copyDatabase } from "../../../events/sqlite-backup.ts";
import { isDamage } from "./damage.ts";
import { HEAD_SQL, type HeadRow, headIn } from "./head.ts";
import { findMadeHistory, headOfHistory, newHistoryPath, removeOtherHistories } from "./history-file.ts";
import { makeTables } from "./making.ts";
import { PastReadModel } from "./past-read-model.ts";
import { isClean } from "./state-in-history.ts";

/** Up to which event a history is made that was carried. */
export interface Carried {
  readonly position: number;
}

/**
 * Copies the history of a project to a file, as it is at one moment; another process may be making it.
 *
 * @param to a file that is not there yet; its owner alone can read it
 * @throws Refusal `not_possible`: there is no history; LogError `disk`: the file is there, or cannot be written
 */
export async function exportHistory(readModelPath: string, to: string): Promise<Carried> {
  const path = findMadeHistory(readModelPath);
  if (path === undefined || headOfHistory(path) === 0) {
    throw new Refusal(
      "not_possible",
      "There is no history to export. Build it with `signalbox history make`.",
    );
  }
  const source = new Database(path, { readonly: true, fileMustExist: true });
  try {
    return await copyDatabase(source, to, (copy) => ({ position: headOfHistory(copy) }));
  } finally {
    source.close();
  }
}

/**
 * Takes a history that `exportHistory` wrote beside a log that has the same events, each with the same leaf hash.
 *
 * @param logPath of the project's log, which `log` has open
 * @throws Refusal `not_possible`: it is of another log, of more events, of another version of the program, from before a redaction,
 * or damaged; or the project's own history is made as far
 */
export async function importHistory(
  from: string,
  { log, logPath, readModelPath }: { log: EventLog; logPath: string; readModelPath: string },
): Promise<Carried> {
  const own = findMadeHistory(readModelPath);
  const made = own === undefined ? 0 : headOfHistory(own);
  const source = openCarried(from);
  try {
    const path = newHistoryPath(readModelPath);
    const carried = await copyDatabase(source, path, async (copy) => {
      const position = checkFile(copy, from);
      if (position <= made)
        throw refused(
          from,
          `the project's history is built up to event ${made} already, this one only to ${position}`,
        );
      checkLeaves(copy, position, { logPath, from });
      await checkRedactions(copy, log, from);
      return { position };
    });
    removeOtherHistories(path);
    return carried;
  } finally {
    source.close();
  }
}

function openCarried(from: string): Database.Database {
  try {
    const database = new Database(from, { readonly: true, fileMustExist: true });
    database.pragma("schema_version");
    return database;
  } catch (error) {
    throw refused(from, `it cannot be read (${error instanceof Error ? error.message : String(error)})`);
  }
}

/** @returns up to which event it is made @throws Refusal */
function checkFile(copy: string, from: string): number {
  const database = new Database(copy);
  const expected = new Database(":memory:");
  try {
    makeTables(expected);
    if (!isDeepStrictEqual(declaredIn(database), declaredIn(expected)))
      throw refused(
        from,
        "it is not a history, or another version of signalbox built it. Export it again with the version installed here",
      );
    const [fault] = database.prepare<[], string>("PRAGMA quick_check(1)").pluck().all();
    if (fault !== "ok") throw refused(from, `it is damaged: ${fault}`);
    return headIn(database.prepare<[], HeadRow>(HEAD_SQL).get());
  } catch (error) {
    throw isDamage(error) ? refused(from, `it is damaged: ${error.message}`) : error;
  } finally {
    for (const one of [database, expected]) one.close();
  }
}

/** Every table, index and view, and which reducers filled them: nothing else may be in the file. */
function declaredIn(database: Database.Database): unknown[] {
  const objects = database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name").all();
  const isHistory = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = '__projections'").get();
  return isHistory
    ? [...objects, ...database.prepare("SELECT name, version, schema FROM __projections ORDER BY name").all()]
    : objects;
}

/** @throws Refusal: the log has another event where the history has one, or none */
function checkLeaves(
  copy: string,
  position: number,
  { logPath, from }: { logPath: string; from: string },
): void {
  const database = new Database(copy, { readonly: true });
  try {
    const ours = database
      .prepare<[number], Buffer>("SELECT leaf_hash FROM __events WHERE position = ?")
      .pluck();
    auditFile(logPath, (file) => {
      const head = file.head();
      if (head < position)
        throw refused(
          from,
          `it is built up to event ${position}, and the log here ends at ${head}. Bring the log here first`,
        );
      for (const { position: at, leaf_hash } of file.leaves(0, position)) {
        if (!Buffer.isBuffer(leaf_hash) || !ours.get(at)?.equals(leaf_hash))
          throw refused(from, `it belongs to another log: the leaf hash of event ${at} differs`);
      }
    });
  } finally {
    database.close();
  }
}

async function checkRedactions(copy: string, log: EventLog, from: string): Promise<void> {
  const past = new PastReadModel(copy);
  try {
    if (!(await isClean(past, log)))
      throw refused(from, "an event was redacted since it was built. Export it again");
  } finally {
    past.close();
  }
}

function refused(from: string, why: string): Refusal {
  return new Refusal("not_possible", `${from} was not imported: ${why}.`);
}
