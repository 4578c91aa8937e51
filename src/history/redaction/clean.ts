import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type Database from "better-sqlite3";
import { locationOf } from "../../config/locate-log.ts";
import type { Store } from "../../decisions/store.ts";
import { describeLocation } from "../../events/log-location.ts";
import { emptyJournal, eraseRemains, type Remains } from "../../events/redaction/erase-remains.ts";
import { openForWriting } from "../../events/sqlite-file.ts";
import { regenerate } from "../../mcp/generating/regenerate.ts";
import { clientFolderOf } from "../../mcp/launching/client-server.ts";
import { dropUnknownProjections } from "../../read-model/drop-unknown.ts";
import { runElsewhere } from "../../read-model/rebuild-runs.ts";
import { catchUp } from "../../read-model/worker.ts";
import { stateFilePaths, writeStateFiles } from "../../workspace/state-files/write.ts";
import { dropHistory } from "../time-travel/history/history-file.ts";

/** A file, or a log on a server, that may still contain removed texts, and why. */
export interface Unclean {
  readonly file: string;
  /** `on_server`: no host may erase dead rows, write-ahead logs and backups; the operator must. */
  readonly why: Exclude<Remains, "erased"> | "not_ours" | "on_server";
}

/**
 * Rebuilds or removes everything derived from the log: the read model, the state files and
 * `.ralph/mcp/` are rebuilt, the history is removed, and both databases are rewritten with empty
 * journals. It looks for no particular text, so it can be repeated at any time.
 *
 * @param wait_ms how long to wait for other processes that read or write
 * @returns the files that could not be cleaned
 */
export async function cleanProject(
  { log, readModel }: Store,
  readModelPath: string,
  wait_ms: number,
): Promise<readonly Unclean[]> {
  // First, since it is only removed; everything made from now on lacks the removed texts.
  dropHistory(readModelPath);
  // A redaction triggers a rebuild of the read model, without the tables that another program defines.
  const isAlone = await catchUpAlone({ log, readModel }, wait_ms);
  dropUnknownProjections(readModel);
  if (Object.values(stateFilePaths(readModelPath)).some((path) => existsSync(path))) {
    writeStateFiles(readModel, readModelPath);
  }
  if (existsSync(clientFolderOf(readModelPath))) regenerate(readModel, readModelPath);
  const location = await locationOf(readModelPath);
  const ofLog: Unclean["why"] | "erased" =
    log.path === undefined ? "on_server" : await cleanLog(log.path, wait_ms);
  // If the file is not writable, the read model is in memory.
  const isOurs = !readModel.database.memory;
  const cleaned = isOurs ? await cleanDatabase(readModel.database, wait_ms) : "not_ours";
  const ofReadModel: Remains | "not_ours" = cleaned === "erased" && !isAlone ? "held_by_writers" : cleaned;
  return [
    ...(ofLog === "erased" ? [] : [{ file: log.path ?? describeLocation(location), why: ofLog }]),
    ...(ofReadModel === "erased" ? [] : [{ file: readModelPath, why: ofReadModel }]),
  ];
}

/**
 * Brings the read model past every redaction, and waits for the rebuilds of other processes: one may have read an event before it was
 * redacted, and put its tables in place of ours.
 *
 * @returns false if one still runs
 */
async function catchUpAlone(
  { log, readModel }: Pick<Store, "log" | "readModel">,
  wait_ms: number,
): Promise<boolean> {
  // The redaction is up to here.
  const head = await log.head();
  for (let waited_ms = 0; ; waited_ms += PAUSE_MS) {
    await catchUp(readModel, log);
    // In this order: one that ends after the first question cannot go back behind the second.
    if (!runElsewhere(readModel.database) && readModel.position() >= head) return true;
    if (waited_ms >= wait_ms) return false;
    await delay(PAUSE_MS);
  }
}

async function cleanLog(path: string, wait_ms: number): Promise<Remains> {
  const database = openForWriting(path);
  try {
    return await cleanDatabase(database, wait_ms);
  } finally {
    database.close();
  }
}

/** Retries while other processes read or write. */
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
