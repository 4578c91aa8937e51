import { isDeepStrictEqual } from "node:util";
import Database from "better-sqlite3";
import { Refusal } from "../../../decisions/refusal.ts";
import { copyDatabase } from "../../../events/copy-database.ts";
import type { EventLog } from "../../../events/log.ts";
import { errorMessage } from "../../../lib/error-message.ts";
import { isDamage } from "./damage.ts";
import { HEAD_SQL, type HeadRow, headIn } from "./head.ts";
import { findMadeHistory, headOfHistory, newHistoryPath, removeOtherHistories } from "./history-file.ts";
import { makeTables } from "./making.ts";
import { PastReadModel } from "./past-read-model.ts";
import { isClean } from "./state-in-history.ts";

/** The head of a copied history. */
export interface Carried {
  readonly position: number;
}

/**
 * Copies a snapshot of a project's history, which another process may be extending.
 *
 * @param to a file that does not exist yet; only its owner can read it
 * @throws Refusal `not_possible`: there is no history; LogError `disk`: the file exists, or cannot
 * be written
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
 * Imports a history written by `exportHistory` for a log with the same events and leaf hashes.
 *
 * @throws Refusal `not_possible`: it belongs to another log, has more events, comes from another
 * program version or from before a redaction, or is damaged; or the project's own history is at
 * least as long
 */
export async function importHistory(
  from: string,
  { log, readModelPath }: { log: EventLog; readModelPath: string },
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
      await checkLeaves(copy, position, { log, from });
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
    throw refused(from, `it cannot be read (${errorMessage(error)})`);
  }
}

/** @returns the last event in it @throws Refusal */
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

/**
 * Every table, index and view, and the reducers that filled them: the file may contain nothing
 * else.
 */
function declaredIn(database: Database.Database): unknown[] {
  const objects = database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name").all();
  const isHistory = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = '__projections'").get();
  return isHistory
    ? [...objects, ...database.prepare("SELECT name, version, schema FROM __projections ORDER BY name").all()]
    : objects;
}

/** @throws Refusal: the log has no event there, or another than the history */
async function checkLeaves(
  copy: string,
  position: number,
  { log, from }: { log: EventLog; from: string },
): Promise<void> {
  const database = new Database(copy, { readonly: true });
  try {
    const ours = database
      .prepare<[number], Buffer>("SELECT leaf_hash FROM __events WHERE position = ?")
      .pluck();
    await log.audit(async (stored) => {
      const head = await stored.head();
      if (head < position)
        throw refused(
          from,
          `it is built up to event ${position}, and the log here ends at ${head}. Bring the log here first`,
        );
      for await (const leaves of stored.leaves(0, position)) {
        for (const { position: at, leaf_hash } of leaves) {
          if (!Buffer.isBuffer(leaf_hash) || !ours.get(at)?.equals(leaf_hash))
            throw refused(from, `it belongs to another log: the leaf hash of event ${at} differs`);
        }
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
