import Database from "better-sqlite3";
import { expect } from "vitest";
import { closeStore, openStore } from "../../src/decisions/store.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import type { EventLog } from "../../src/events/log.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { catchUp } from "../../src/read-model/worker.ts";

/**
 * Fails unless the read model, brought to the head, is the reduction of the log, no projection has stopped, and both
 * files are sound.
 *
 * @param hash the content hash of the reduction, where it is known; else the log is reduced again
 */
export async function expectWholeProject(readModelPath: string, hash?: string): Promise<void> {
  const store = await openStore(readModelPath, systemEnvironment());
  try {
    await catchUp(store.readModel, store.log);
    expect(store.readModel.contentHash()).toBe(hash ?? (await freshContentHash(store.log)));
    expect(store.readModel.checkpoints.list().map(({ state }) => state)).not.toContain("stopped");
  } finally {
    await closeStore(store);
  }
  for (const path of [readModelPath, logPathBeside(readModelPath)]) {
    const database = new Database(path, { readonly: true });
    expect(database.pragma("integrity_check", { simple: true }), path).toBe("ok");
    database.close();
  }
}

/** The content hash of the reduction of a log, made in memory. */
export async function freshContentHash(log: EventLog): Promise<string> {
  const fresh = new ReadModel(":memory:");
  await catchUp(fresh, log);
  const hash = fresh.contentHash();
  fresh.close();
  return hash;
}
