import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ralphFolderOf } from "../../lib/project-folder.ts";
import type { ServerProcess } from "../client-configs.ts";
import { serverProcess } from "./mcp-config.ts";

/** The name of a human's own client in the log, in place of a session's. */
export const CLIENT_SESSION = "client";

/** The folder of the files for a human's own client. */
export function clientFolderOf(readModelPath: string): string {
  return join(ralphFolderOf(readModelPath), "mcp");
}

/**
 * Our server as a human's own client starts it. Uses real paths: the configuration is the same by
 * any path to the project.
 */
export function clientServer(readModelPath: string): ServerProcess {
  const path = join(realpathSync(dirname(readModelPath)), basename(readModelPath));
  return serverProcess({ RALPH_DB_PATH: path, RALPH_CONTEXT: join(clientFolderOf(path), "context.json") });
}
