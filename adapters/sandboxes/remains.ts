import { dirname } from "node:path";
import type { ContainerWish } from "./container.ts";
import { contentOf, findTool, ralphFolderOf, run, runFolderOf, writeWhole } from "./core.ts";

/** Notes that a session has a container, for a later driver to remove: it outlives the client that starts it. */
export function noteContainer(readModelPath: string, session: string, engine: ContainerWish["engine"]): void {
  writeWhole(runFolderOf(readModelPath, session).containerFile, engine);
}

/** Removes a session's container, if it had one that is still there: its processes end at once. */
export async function removeContainer(readModelPath: string, session: string): Promise<void> {
  const noted = contentOf(runFolderOf(readModelPath, session).containerFile);
  // Somebody else may have written the file: no more than a word is taken from it.
  const engine = /\b(?:docker|podman)\b/.exec(noted ?? "")?.[0];
  const file = engine && findTool(engine, dirname(ralphFolderOf(readModelPath)));
  if (!file) return;
  // One that is gone is no fault; without the engine there is none.
  await run(file, ["rm", "--force", containerName(session)], { cwd: "/", env: process.env }).catch(() => {});
}

export function containerName(session: string): string {
  return `signalbox-${session}`;
}
