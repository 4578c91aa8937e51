import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { writeWhole } from "../../lib/write-whole.ts";
import { run } from "../doctor/program.ts";
import { runFolderOf } from "../run-folder.ts";

/** A container outlives the client that started it, so it is noted before it starts. */
const container = z.object({ engine: z.string(), name: z.string() });
export type Container = z.infer<typeof container>;

/** Notes the container of a session, for a later driver to remove. */
export function noteContainer(readModelPath: string, session: string, noted: Container): void {
  writeWhole(runFolderOf(readModelPath, session).containerFile, JSON.stringify(noted));
}

/** Removes a session's container, if it had one that is still there: its processes end at once. */
export async function removeContainer(readModelPath: string, session: string): Promise<void> {
  const { containerFile } = runFolderOf(readModelPath, session);
  if (!existsSync(containerFile)) return;
  const { data } = container.safeParse(JSON.parse(readFileSync(containerFile, "utf8")));
  if (!data) return;
  // One that is gone is no fault; without the engine there is none.
  await run(data.engine, ["rm", "--force", data.name], { cwd: "/", env: process.env }).catch(() => {});
}
