import { dirname } from "node:path";
import { type LogStanding, trustAdvice } from "../config/known-log.ts";
import type { Store } from "../decisions/store.ts";
import { LogError } from "../lib/log-error.ts";
import { ralphFolderOf } from "../lib/project-folder.ts";
import { filesTracked, trackedMend, trackedWords } from "../workspace/own-files.ts";

/** Why nothing runs from a project's log, and what another could change in it by git, as sentences with what to do. */
export async function trustProblems(store: Store): Promise<readonly string[]> {
  const path = store.readModel.database.name;
  const folder = dirname(ralphFolderOf(path));
  const [untrusted, tracked] = await Promise.all([untrustedLog(store), filesTracked(folder)]);
  return [
    ...(untrusted ? [trustAdvice(untrusted, path)] : []),
    ...(tracked.length > 0
      ? [`In this project ${trackedWords(tracked)}. ${trackedMend(tracked, folder)}`]
      : []),
  ];
}

/** Why nothing runs from the log; null where it does, or nobody can tell. */
export async function untrustedLog({ guard, log }: Store): Promise<Exclude<LogStanding, "known"> | null> {
  try {
    const standing = (await guard?.standing(log)) ?? "known";
    return standing === "known" ? null : standing;
  } catch (error) {
    if (error instanceof LogError && error.code === "no_state") return null;
    throw error;
  }
}
