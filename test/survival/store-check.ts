import Database from "better-sqlite3";
import { expect } from "vitest";
import { closeStore, openStore } from "../../src/decisions/store.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { everythingIn, numbers, positionsOf } from "../events/given.ts";
import { batchesOf, markedBatch } from "../events/marked-batch.ts";

/**
 * Opens what is left of a project and holds that every acknowledged batch is there, whole and in its place, that no
 * batch is torn, that both files are sound, that the read model comes to what a new one would be, and that work goes on.
 */
export async function checkStore(
  readModelPath: string,
  acknowledged: ReadonlyMap<string, readonly number[]>,
): Promise<void> {
  createLogFile(logPathBeside(readModelPath));
  const store = await openStore(readModelPath, systemEnvironment());
  const fresh = new ReadModel(":memory:");
  try {
    const events = await everythingIn(store.log);
    expect(positionsOf(events)).toEqual(numbers(events.length));
    const batches = batchesOf(events);
    for (const [batch, positions] of acknowledged) expect(batches.get(batch), batch).toEqual(positions);
    expect(integrityOf(logPathBeside(readModelPath))).toBe("ok");
    expect(integrityOf(readModelPath)).toBe("ok");

    const { events: next } = await store.log.append(markedBatch("afterwards", 1, 2));
    expect(positionsOf(next)).toEqual(numbers(events.length + 2, events.length + 1));
    await catchUp(store.readModel, store.log);
    await catchUp(fresh, store.log);
    expect(store.readModel.contentHash()).toBe(fresh.contentHash());
    expect(store.readModel.checkpoints.list().map(({ state }) => state)).not.toContain("stopped");
    expect(store.readModel.position()).toBe(events.length + 2);
  } finally {
    fresh.close();
    await closeStore(store);
  }
}

function integrityOf(path: string): unknown {
  const database = new Database(path, { readonly: true });
  try {
    return database.pragma("integrity_check", { simple: true });
  } finally {
    database.close();
  }
}
