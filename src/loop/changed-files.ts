import { relative, resolve } from "node:path";
import { isOfGit } from "../workspace/git.ts";
import type { Look } from "../workspace/workspace.ts";
import type { Observed } from "./agent/observed.ts";
import type { AgentRun } from "./claim.ts";

/**
 * The files that the session changed: those that differ from its start. In a shared folder, only
 * those among them that its agent reported as edited.
 */
export async function changedFiles(
  { start, workspace, shared }: AgentRun,
  now: Look,
  { files }: Observed,
): Promise<string[] | undefined> {
  if (!start) return undefined;
  const changes = await workspace.changes(start.tree, now.tree).catch(unknown);
  const changed = changes.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path])).sort();
  if (!shared) return changed;
  const named = new Set(
    [...files].map((path) => relative(workspace.folder, resolve(workspace.folder, path))),
  );
  return changed.filter((path) => named.has(path));
}

/** @throws errors other than those of git */
function unknown(error: unknown): [] {
  if (isOfGit(error)) return [];
  throw error;
}
