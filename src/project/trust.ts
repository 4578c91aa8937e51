import type { LogStanding } from "../config/known-log.ts";
import type { Store } from "../decisions/store.ts";
import { LogError } from "../events/log-error.ts";
import { filesTracked } from "../workspace/own-files.ts";

/** What keeps a project from running anything, and what another could change in it by git (docs/trust.md). */
export interface Trust {
  /** Null where the log is known, or nobody can tell. */
  readonly untrusted_log: Exclude<LogStanding, "known"> | null;
  /** The files of `.ralph/` that git tracks though only signalbox writes them, from the repository's top. */
  readonly tracked: readonly string[];
}

/** @param folder the project's */
export async function trustOf(store: Store, folder: string): Promise<Trust> {
  const [untrusted_log, tracked] = await Promise.all([untrusted(store), filesTracked(folder)]);
  return { untrusted_log, tracked };
}

async function untrusted({ guard, log }: Store): Promise<Trust["untrusted_log"]> {
  try {
    const standing = (await guard?.standing(log)) ?? "known";
    return standing === "known" ? null : standing;
  } catch (error) {
    if (error instanceof LogError && error.code === "no_state") return null;
    throw error;
  }
}
