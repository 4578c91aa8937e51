import { closeStore, openStore } from "../../decisions/store.ts";
import type { FoundText } from "../../events/redaction/without-texts.ts";
import type { Environment } from "../../lib/environment.ts";
import { ralphFolderOf } from "../../lib/project-folder.ts";
import { cleanProject, type Unclean } from "./clean.ts";
import { needlesOf } from "./needles.ts";
import { blankOutputs } from "./redact.ts";

/**
 * Overwrites, in the files of sessions and loops, the texts that an import's redactions remove. Call it
 * before restoring the events, since only then the texts are known, and again afterwards.
 */
export function blankRestored(readModelPath: string, removed: readonly FoundText[]): void {
  blankOutputs(ralphFolderOf(readModelPath), needlesOf(removed));
}

/**
 * Cleans a project after an import with redactions, as `redact` does.
 *
 * @param wait_ms how long to wait for other processes that keep a database from being cleaned
 * @returns the files that could not be cleaned
 * @throws LogError, ReadModelError
 */
export async function cleanRestored(
  readModelPath: string,
  environment: Environment,
  wait_ms: number,
): Promise<readonly Unclean[]> {
  const store = await openStore(readModelPath, environment);
  try {
    return await cleanProject(store, readModelPath, wait_ms);
  } finally {
    await closeStore(store);
  }
}
