import { join } from "node:path";
import { readConfig } from "../config/config.ts";
import { ralphFolderOf } from "../events/project-folder.ts";
import type { GatesToRun } from "../gates/run-gates.ts";
import { type CommonOptions, folderOf, readModelPath } from "./command.ts";
import { pc, quoteLine } from "./output.ts";

/**
 * Where and how a command has gates run: in the session's workspace, where RALPH_WORKSPACE names one, else in the project's
 * folder. What goes on is told on stderr, so that stdout has the results alone.
 */
export function gatesToRun(
  options: CommonOptions,
  signal: AbortSignal,
): Omit<GatesToRun, "task" | "gate" | "session"> {
  const path = readModelPath(options);
  const say = (line: string) => {
    if (!options.json) process.stderr.write(`${pc.dim(line)}\n`);
  };
  return {
    folder: process.env.RALPH_WORKSPACE || folderOf(options),
    runFolder: join(ralphFolderOf(path), "run"),
    config: readConfig(path),
    signal,
    onStart: ({ gate, command }) => say(`gate ${gate}: ${quoteLine(command)}`),
    onWait: () => say("waiting for the gates that are run in this folder"),
  };
}

/** Does work that SIGINT and SIGTERM stop in good order: by the signal that it is given. */
export async function stoppable<Answer>(work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once("SIGINT", onSignal);
  process.once("SIGTERM", onSignal);
  try {
    return await work(stop.signal);
  } finally {
    process.removeListener("SIGINT", onSignal);
    process.removeListener("SIGTERM", onSignal);
  }
}
