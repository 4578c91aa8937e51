import { closeSync, existsSync, linkSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type Database from "better-sqlite3";
import { LogError } from "../lib/log-error.ts";
import { platform } from "../lib/platform/here.ts";
import { unfinishedPath } from "../lib/processes/unfinished-file.ts";
import { makeOneFile } from "./one-file.ts";

/**
 * Copies a snapshot of a database, which others may write to meanwhile. The copy is one file, and
 * gets its name only after it is checked and synced.
 *
 * @param to a file that does not exist yet; only its owner can read it
 * @param check gets the copy's path, and throws if the copy is not valid
 * @returns what `check` returns
 * @throws LogError `disk`: the file exists; Error from the system: it cannot be written
 */
export async function copyDatabase<T>(
  source: Database.Database,
  to: string,
  check: (copy: string) => T | Promise<T>,
): Promise<T> {
  const fill = async (unfinished: string) => {
    closeSync(openSync(unfinished, "wx", 0o600));
    await source.backup(unfinished, { progress: () => PAGES_AT_ONCE });
  };
  return makeDatabase(to, fill, check);
}

/** Fills a database under another name, and gives it its name once it is one file, checked and synced. */
export async function makeDatabase<T>(
  to: string,
  fill: (unfinished: string) => Promise<void>,
  check: (copy: string) => T | Promise<T>,
): Promise<T> {
  if (existsSync(to)) {
    throw new LogError("disk", `${to} already exists and was not overwritten. Choose another name.`);
  }
  const unfinished = unfinishedPath(to);
  try {
    await fill(unfinished);
    makeOneFile(unfinished);
    const checked = await check(unfinished);
    // A link, since a rename would overwrite a file that appeared meanwhile.
    linkSync(unfinished, to);
    platform().files.sync(dirname(to));
    return checked;
  } finally {
    for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(`${unfinished}${end}`, { force: true });
  }
}

/** All remaining pages in one step: an append between two steps would restart the copy. */
const PAGES_AT_ONCE = 0x7fffffff;
