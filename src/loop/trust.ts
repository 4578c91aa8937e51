import { dirname } from "node:path";
import { type LogStanding, trustAdvice } from "../config/known-log.ts";
import type { Store } from "../decisions/store.ts";
import { LogError } from "../events/log-error.ts";
import { ralphFolderOf } from "../events/project-folder.ts";
import { filesTracked, trackedMend, trackedWords } from "../workspace/own-files.ts";

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

/** The same as sentences, with what to do. */
export async function trustProblems(store: Store): Promise<readonly string[]> {
  const path = store.readModel.database.name;
  const folder = dirname(ralphFolderOf(path));
  const { untrusted_log, tracked } = await trustOf(store, folder);
  return [
    ...(untrusted_log ? [trustAdvice(untrusted_log, path)] : []),
    ...(tracked.length > 0
      ? [`In this project ${trackedWords(tracked)}. ${trackedMend(tracked, folder)}`]
      : []),
  ];
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
