import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runFolderBeside } from "../lib/project-folder.ts";
import { writeWhole } from "../lib/write-whole.ts";
import { type Launched, launchFilesOf, writeLaunchFiles } from "../mcp/launching/launch-files.ts";
import type { OwnServer } from "../mcp/launching/mcp-config.ts";
import type { LaunchPlan } from "../mcp/launching/plan.ts";
import type { Workspace } from "../workspace/workspace.ts";

/**
 * The files of one session's run, below `.ralph/run/`. For the agent, and for people who want to
 * see its output; nothing depends on them.
 */
export interface RunFolder {
  readonly path: string;
  readonly promptFile: string;
  readonly mcpConfig: string;
  readonly pidFile: string;
  /** Exists once the agent's client has connected to our server. */
  readonly connectedFile: string;
  /** The agent's output. */
  readonly outputFile: string;
  /** What the server of a relayed session reports; without a relay its client keeps that. */
  readonly serverFile: string;
  /** Names the engine of a session that has a container. */
  readonly containerFile: string;
}

export function runFolderOf(readModelPath: string, session: string): RunFolder {
  const { folder: path, mcpConfig } = launchFilesOf(readModelPath, session);
  return {
    path,
    promptFile: join(path, "prompt.md"),
    mcpConfig,
    pidFile: join(path, "pid"),
    connectedFile: join(path, "connected"),
    outputFile: join(path, "output.jsonl"),
    serverFile: join(path, "server.log"),
    containerFile: join(path, "container.json"),
  };
}

/**
 * Creates the folder with the prompt, the context and the server configuration, readable only by
 * the owner.
 *
 * @param own our server where the agent's client does not start it
 */
export function prepareRunFolder(
  readModelPath: string,
  { launch: plan, workspace }: { readonly launch: LaunchPlan; readonly workspace: Workspace },
  { prompt, own }: { readonly prompt: string; readonly own: OwnServer | undefined },
): { folder: RunFolder; launched: Launched } {
  const folder = runFolderOf(readModelPath, plan.context.session_id);
  const launched = writeLaunchFiles(readModelPath, plan, {
    workspace: workspace.folder,
    connectedFile: folder.connectedFile,
    own,
  });
  writeWhole(folder.promptFile, prompt);
  return { folder, launched };
}

/** The process group of a session's agent, if one was started. */
export function agentGroupOf(readModelPath: string, session: string): number | undefined {
  const { pidFile } = runFolderOf(readModelPath, session);
  if (!existsSync(pidFile)) return undefined;
  const group = Number(readFileSync(pidFile, "utf8"));
  return Number.isSafeInteger(group) && group > 1 ? group : undefined;
}

/**
 * Removes the oldest run folders beyond `KEPT`, except `open` ones. A folder without a prompt was
 * not made by a loop: its client may still be running.
 */
export function pruneRunFolders(readModelPath: string, open: ReadonlySet<string>): void {
  const parent = runFolderBeside(readModelPath);
  const stay = new Set([...open].map((session) => runFolderOf(readModelPath, session).path));
  // Driver sessions have ids that increase with time.
  // Names with a dot are not sessions but workspace locks.
  const paths = readdirSync(parent)
    .filter((name) => !name.includes("."))
    .sort()
    .map((name) => join(parent, name))
    .filter((path) => existsSync(join(path, "prompt.md")));
  for (const path of paths.slice(0, -KEPT))
    if (!stay.has(path)) rmSync(path, { recursive: true, force: true });
}

const KEPT = 100;
