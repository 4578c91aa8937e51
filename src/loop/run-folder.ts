import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ralphFolderOf } from "../events/project-folder.ts";
import { packagePath } from "../package-root.ts";
import { SERVER_NAME } from "../server-name.ts";
import { sessionVariables } from "../session-variables.ts";
import { writeWhole } from "../write-whole.ts";

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
  // Sessions may be named by anybody; a name that is no plain word is not taken for a path.
  const path = join(ralphFolderOf(readModelPath), "run", encodeURIComponent(session).replaceAll(".", "%2E"));
  return {
    path,
    promptFile: join(path, "prompt.md"),
    mcpConfig: join(path, "mcp.json"),
    pidFile: join(path, "pid"),
    connectedFile: join(path, "connected"),
    outputFile: join(path, "output.jsonl"),
  };
}

/** Makes the folder with the prompt and the configuration of our server, readable by their owner alone. */
export function prepareRunFolder(
  readModelPath: string,
  { session, task }: { session: string; task: number },
  prompt: string,
): RunFolder {
  const folder = runFolderOf(readModelPath, session);
  mkdirSync(folder.path, { recursive: true, mode: 0o700 });
  writeWhole(folder.promptFile, prompt);
  const server = {
    command: process.execPath,
    args: [packagePath("bin/signalbox.js"), "mcp"],
    env: {
      ...sessionVariables(task, session, readModelPath),
      SIGNALBOX_CONNECTED: folder.connectedFile,
    },
    // Tools that hide behind a search are often not called.
    alwaysLoad: true,
  };
  writeWhole(
    folder.mcpConfig,
    `${JSON.stringify({ mcpServers: { [SERVER_NAME]: server } }, undefined, 2)}\n`,
  );
  return folder;
}

/** The process group of a session's agent, if one was started. */
export function agentGroupOf(readModelPath: string, session: string): number | undefined {
  const { pidFile } = runFolderOf(readModelPath, session);
  if (!existsSync(pidFile)) return undefined;
  const group = Number(readFileSync(pidFile, "utf8"));
  return Number.isSafeInteger(group) && group > 1 ? group : undefined;
}

/** Removes what is left of the oldest runs beyond `KEPT`; `open` are those that must stay. */
export function pruneRunFolders(readModelPath: string, open: ReadonlySet<string>): void {
  const parent = join(ralphFolderOf(readModelPath), "run");
  const stay = new Set([...open].map((session) => runFolderOf(readModelPath, session).path));
  // Sessions of a driver are named by ids that grow with time.
  const paths = readdirSync(parent)
    .sort()
    .map((name) => join(parent, name));
  for (const path of paths.slice(0, -KEPT))
    if (!stay.has(path)) rmSync(path, { recursive: true, force: true });
}

const KEPT = 100;
