import { existsSync } from "node:fs";
import { findOwnHost } from "../../events/own-host.ts";
import type { Session } from "../../projections/board/tables.ts";
import { runFolderOf } from "../run-folder.ts";

/**
 * Why a session's output cannot be read: no loop ran it; it ran on another host; its agent has not
 * printed anything; its files were removed.
 */
export type NoOutput = "no_loop" | "other_host" | "not_begun" | "removed";

export function whyNoOutput(
  readModelPath: string,
  { id, driver, host, completed_at }: Pick<Session, "id" | "driver" | "host" | "completed_at">,
): NoOutput {
  if (driver === null) return "no_loop";
  const { path } = runFolderOf(readModelPath, id);
  if (host !== null && host !== findOwnHost(readModelPath)?.host && !existsSync(path)) return "other_host";
  return completed_at === null ? "not_begun" : "removed";
}
