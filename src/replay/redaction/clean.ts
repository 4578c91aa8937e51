import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type Database from "better-sqlite3";
import { logPathBeside, type Store } from "../../decisions/store.ts";
import { emptyJournal, eraseRemains, type Remains } from "../../events/redaction/erase-remains.ts";
import { openForWriting } from "../../events/sqlite-file.ts";
import { regenerate } from "../../mcp/generating/regenerate.ts";
import { clientFolderOf } from "../../mcp/launching/client-server.ts";
import { dropUnknownProjections } from "../../projections/drop-unknown.ts";
import { catchUp } from "../../projections/worker.ts";
import { stateFilePaths, writeStateFiles } from "../../state-files/write.ts";
import { dropHistory } from "../time-travel/history/history-file.ts";

/** A file in which removed texts may still stand, and why. */
export interface Unclean {
  readonly file: string;
  readonly why: Exclude<Remains, "erased"> | "not_ours";
}

/**
 * Makes all that follows from the log anew without what was redacted, or removes it (the history): the read model, the state files, `.ralph/mcp/`; and
 * writes both databases anew, with empty journals. Looks at no text, so it can be done again at any time.
 *
 * @param wait_ms how long to wait for other processes that read or write
 * @returns the files that could not be cleaned; none if all went well
 */
export async function cleanProject(
  { log, readModel }: Store,
  readModelPath: string,
  wait_ms: number,
): Promise<readonly Unclean[]> {
  // First, since it is only removed: what is made from now on is made without what was redacted.
  dropHistory(readModelPath);
  // Over a redaction the read model is rebuilt, but for tables that another program defines.
  await catchUp(readModel, log);
  dropUnknownProjections(readModel);
  if (Object.values(stateFilePaths(readModelPath)).some((path) => existsSync(path))) {
    writeStateFiles(readModel, readModelPath);
  }
  if (existsSync(clientFolderOf(readModelPath))) regenerate(readModel, readModelPath);
  const ofLog = await cleanLog(logPathBeside(readModelPath), wait_ms);
  // Where the file cannot be written, the read model is one in memory.
  const isOurs = !readModel.database.memory;
  const ofReadModel: Remains | "not_ours" = isOurs
    ? await cleanDatabase(readModel.database, wait_ms)
    : "not_ours";
  return [
    ...(ofLog === "erased" ? [] : [{ file: logPathBeside(readModelPath), why: ofLog }]),
    ...(ofReadModel === "erased" ? [] : [{ file: readModelPath, why: ofReadModel }]),
  ];
}

async function cleanLog(path: string, wait_ms: number): Promise<Remains> {
  const database = openForWriting(path);
  try {
    return await cleanDatabase(database, wait_ms);
  } finally {
    database.close();
  }
}

/** Tries again while others read or write. */
async function cleanDatabase(database: Database.Database, wait_ms: number): Promise<Remains> {
  let remains = eraseRemains(database);
  for (let waited_ms = 0; waited_ms < wait_ms && remains.startsWith("held_by"); waited_ms += PAUSE_MS) {
    await delay(PAUSE_MS);
    if (remains === "held_by_writers") remains = eraseRemains(database);
    else if (emptyJournal(database)) remains = "erased";
  }
  return remains;
}

const PAUSE_MS = 50;
