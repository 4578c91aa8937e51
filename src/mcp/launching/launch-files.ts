import { join } from "node:path";
import { stateVariables } from "../../config/state-folder.ts";
import type { McpServers } from "../../events/types/mcp-fields.ts";
import { makePrivateFolder } from "../../lib/private-folder.ts";
import { ralphFolderOf, runFolderBeside, sessionFolderOf } from "../../lib/project-folder.ts";
import { writeWhole } from "../../lib/write-whole.ts";
import type { Context } from "../context.ts";
import { SESSION_VARIABLE, sessionNameVariables } from "../session-variables.ts";
import { mcpConfigText, type OwnServer, serverProcess, sessionServers } from "./mcp-config.ts";
import type { LaunchPlan } from "./plan.ts";

/** A session's files for launching its client and its server. */
export function launchFilesOf(readModelPath: string, session: string) {
  const folder = sessionFolderOf(readModelPath, session);
  return { folder, context: join(folder, "context.json"), mcpConfig: join(folder, "mcp.json") };
}

/** The written files, and the options for starting the client. */
export interface Launched {
  readonly contextFile: string;
  readonly mcpConfig: string;
  /** The environment of our server, for clients that pass on their own; its names alone where no client starts it. */
  readonly env: Readonly<Record<string, string>>;
  /** All servers by their names, ours first. */
  readonly servers: McpServers;
}

/**
 * Writes a session's `context.json` and then its `mcp.json`, atomically, readable by the owner
 * only. A running server of the session switches to the new context at once.
 *
 * @param workspace the agent's folder, in which its gates run; absent: the project's
 * @param connectedFile the file that the server creates once its client has connected; absent: none
 * @param own our server where it runs already; absent: the client starts it
 * @throws McpConfigError; LogError `disk`: the folder is a symbolic link; Error from the system
 */
export function writeLaunchFiles(
  readModelPath: string,
  { context, servers }: LaunchPlan,
  {
    workspace,
    connectedFile,
    own,
  }: {
    readonly workspace?: string | undefined;
    readonly connectedFile?: string | undefined;
    readonly own?: OwnServer | undefined;
  } = {},
): Launched {
  const { folder, context: contextFile, mcpConfig } = launchFilesOf(readModelPath, context.session_id);
  const env = own
    ? sessionNames(context)
    : {
        ...serverVariables(readModelPath, context, workspace),
        ...(connectedFile !== undefined && { SIGNALBOX_CONNECTED: connectedFile }),
      };
  const all = sessionServers(own ?? serverProcess(env), servers);
  const config = mcpConfigText(all);
  makePrivateFolder(runFolderBeside(readModelPath));
  makePrivateFolder(folder);
  writeWhole(contextFile, `${JSON.stringify(context, undefined, 2)}\n`);
  writeWhole(mcpConfig, config);
  return { contextFile, mcpConfig, env, servers: all };
}

/**
 * The environment variables with a server's session and context; `readLaunch` (../launch.ts) reads
 * them.
 *
 * @param workspace the agent's folder, in which its gates run; absent: the project's
 */
export function serverVariables(
  readModelPath: string,
  context: Context,
  workspace = join(ralphFolderOf(readModelPath), ".."),
): Readonly<Record<string, string>> {
  return {
    ...sessionNames(context),
    RALPH_DB_PATH: readModelPath,
    RALPH_WORKSPACE: workspace,
    RALPH_CONTEXT: launchFilesOf(readModelPath, context.session_id).context,
    ...stateVariables(process.env),
  };
}

/** By these the processes of a session's agent are found again, and known for its agent's. */
function sessionNames({ task_id: task, session_id: session }: Context): Readonly<Record<string, string>> {
  return task === null ? { [SESSION_VARIABLE]: session } : sessionNameVariables(task, session);
}
