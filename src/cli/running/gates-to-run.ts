import type { GatesToRun } from "../../gates/run-gates.ts";
import { runFolderBeside } from "../../lib/project-folder.ts";
import { pc, quoteLine } from "../../lib/terminal/output.ts";
import { workspaceIn } from "../../mcp/launch.ts";
import { type CommonOptions, folderOf, readModelPath } from "../making/command.ts";

/**
 * Where and how a command has gates run: in the session's workspace, where RALPH_WORKSPACE names one, else in the project's
 * folder. What goes on is told on stderr, so that stdout has the results alone.
 *
 * @throws LaunchError: RALPH_WORKSPACE leads out of the project
 */
export function gatesToRun(options: CommonOptions, signal: AbortSignal): Omit<GatesToRun, "task" | "config"> {
  const path = readModelPath(options);
  const say = (line: string) => {
    if (!options.json) process.stderr.write(`${pc.dim(line)}\n`);
  };
  return {
    folder: workspaceIn(process.env, path) ?? folderOf(options),
    runFolder: runFolderBeside(path),
    signal,
    onStart: ({ gate, command }) => say(`gate ${gate}: ${quoteLine(command)}`),
    onWait: () => say("waiting for other gates that are running in this folder"),
  };
}
