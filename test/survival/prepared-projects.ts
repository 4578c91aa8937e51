import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { closeStore, openStore, type Store } from "../../src/decisions/store.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { environmentAt, NOON, temporaryFolder } from "../events/given.ts";
import { markedBatch } from "../events/marked-batch.ts";
import { copyProject } from "../support/project.ts";

/** The positions of each batch that was acknowledged. */
export type Acknowledged = ReadonlyMap<string, readonly number[]>;

/** A project with history, whose last user has closed it. */
export async function closedProject(path: string): Promise<Acknowledged> {
  createLogFile(logPathBeside(path));
  const store = await openStore(path, environmentAt({ now: NOON }, "history"));
  const acknowledged = new Map<string, number[]>();
  for (let number = 1; number <= 60; number++) await appendBatch(store, number, acknowledged);
  await catchUp(store.readModel, store.log);
  await closeStore(store);
  // Opens and closes it alone, which deletes the WAL.
  createLogFile(logPathBeside(path));
  return acknowledged;
}

/**
 * A project whose WALs have so many pages, as a kill would leave it between two appends. SQLite checkpoints by itself
 * at 1,000 pages.
 */
export async function unfinishedProject(path: string, pages: number): Promise<Acknowledged> {
  const elsewhere = temporaryFolder();
  const workPath = join(elsewhere.path, "ralph.db");
  const hasPages = (file: string) => statSync(`${file}-wal`).size >= pages * PAGE_IN_WAL;
  createLogFile(logPathBeside(workPath));
  const store = await openStore(workPath, environmentAt({ now: NOON }, "history"));
  const acknowledged = new Map<string, number[]>();
  for (let number = 1; number === 1 || !hasPages(logPathBeside(workPath)); number++) {
    await appendBatch(store, number, acknowledged);
    if (!hasPages(workPath)) await catchUp(store.readModel, store.log);
  }
  copyProject(elsewhere.path, dirname(path));
  await closeStore(store);
  elsewhere.remove();
  return acknowledged;
}

/** A page in the WAL: its header and its 4,096 bytes. */
const PAGE_IN_WAL = 4_120;

async function appendBatch(
  { log }: Store,
  number: number,
  acknowledged: Map<string, number[]>,
): Promise<void> {
  const { events } = await log.append(markedBatch("history", number, 1 + (number % 5)));
  acknowledged.set(
    `history-${number}`,
    events.map(({ position }) => position),
  );
}
