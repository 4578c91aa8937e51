import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ralphFolderOf } from "../../events/project-folder.ts";
import type { ServerProcess } from "../client-configs.ts";
import { serverProcess } from "./mcp-config.ts";

/** The folder of the files that are made for a human's own client. */
export function clientFolderOf(readModelPath: string): string {
  return join(ralphFolderOf(readModelPath), "mcp");
}

/**
 * Our server as a human's own client starts it. Its paths are those without symbolic links: however somebody came to the
 * project's folder, the configuration is the same.
 */
export function clientServer(readModelPath: string): ServerProcess {
  const path = join(realpathSync(dirname(readModelPath)), basename(readModelPath));
  return serverProcess({ RALPH_DB_PATH: path, RALPH_CONTEXT: join(clientFolderOf(path), "context.json") });
}
