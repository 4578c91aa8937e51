import { rmSync } from "node:fs";
import { expect } from "vitest";
import { closeStore, openStore, type Store } from "../../src/decisions/store.ts";
import { listSessions } from "../../src/queries/find-sessions.ts";
import { listInbox } from "../../src/queries/inbox.ts";
import { listTasks, taskDetails } from "../../src/queries/tasks.ts";
import { ReadModelError } from "../../src/read-model/read-model-error.ts";
import { rebuild } from "../../src/read-model/rebuild.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { environmentAt, NOON } from "../events/given.ts";
import type { Figures } from "./campaign.ts";

/**
 * Holds a read model whose file may be damaged to the promise: it comes back right, or a ReadModelError names the file;
 * then, and where a row was damaged that looks like any other, a rebuild or the deletion of the file makes it right.
 */
export async function checkReadModel(path: string, contentHash: string): Promise<Figures> {
  const content = await contentOrError(path, false);
  if (content === contentHash) return { right: 1 };
  if (content !== undefined) {
    const rebuilt = await contentOrError(path, true);
    if (rebuilt === contentHash) return { right_after_rebuild: 1 };
    expect(rebuilt, "what a rebuild gives").toBeUndefined();
  }
  for (const end of ["", "-wal", "-shm"]) rmSync(`${path}${end}`, { recursive: true, force: true });
  expect(await contentOrError(path, false), "what comes after the deletion").toBe(contentHash);
  return { right_after_deletion: 1 };
}

/** The hash of the content, after everything has been asked; undefined if it was said that the file is damaged. */
async function contentOrError(path: string, rebuilding: boolean): Promise<string | undefined> {
  let store: Store | undefined;
  try {
    store = await openStore(path, environmentAt({ now: NOON }, "after the damage"));
    const { readModel, log } = store;
    if (rebuilding) await rebuild(readModel, log);
    await catchUp(readModel, log);
    readModel.snapshot(() => {
      for (const { id } of listTasks(readModel)) taskDetails(readModel, id);
      listSessions(readModel);
      listInbox(readModel);
    });
    return readModel.contentHash();
  } catch (error) {
    if (!(error instanceof ReadModelError)) throw error;
    expect(error.message).toContain(path);
    return undefined;
  } finally {
    if (store) await closeStore(store);
  }
}
