import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runFolderBeside } from "../events/project-folder.ts";
import { writeWhole } from "../lib/write-whole.ts";
import { type Launched, launchFilesOf, writeLaunchFiles } from "../mcp/launching/launch-files.ts";
import type { LaunchPlan } from "../mcp/launching/plan.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** The files of one session's run, below `.ralph/run/`. They are for the agent and for whoever looks what it said; nothing follows from them. */
export interface RunFolder {
  readonly path: string;
  readonly promptFile: string;
  readonly mcpConfig: string;
  readonly pidFile: string;
  /** There once the agent's client has connected to our server. */
  readonly connectedFile: string;
  /** What the agent printed. */
  readonly outputFile: string;
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
  };
}

/** Makes the folder with the prompt, the context and the configuration of the servers, readable by their owner alone. */
export function prepareRunFolder(
  readModelPath: string,
  { launch: plan, workspace }: { readonly launch: LaunchPlan; readonly workspace: Workspace },
  prompt: string,
): { folder: RunFolder; launched: Launched } {
  const folder = runFolderOf(readModelPath, plan.context.session_id);
  const launched = writeLaunchFiles(readModelPath, plan, {
    workspace: workspace.folder,
    connectedFile: folder.connectedFile,
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
 * Removes what is left of the oldest runs of agents beyond `KEPT`; `open` are those that must stay. A folder without a
 * prompt is none of a loop's: its client may be there for as long as it likes.
 */
export function pruneRunFolders(readModelPath: string, open: ReadonlySet<string>): void {
  const parent = runFolderBeside(readModelPath);
  const stay = new Set([...open].map((session) => runFolderOf(readModelPath, session).path));
  // Sessions of a driver are named by ids that grow with time.
  // Names with a dot are no sessions': the locks of workspaces.
  const paths = readdirSync(parent)
    .filter((name) => !name.includes("."))
    .sort()
    .map((name) => join(parent, name))
    .filter((path) => existsSync(join(path, "prompt.md")));
  for (const path of paths.slice(0, -KEPT))
    if (!stay.has(path)) rmSync(path, { recursive: true, force: true });
}

const KEPT = 100;
