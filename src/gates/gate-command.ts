import { dirname } from "node:path";
import type { Config } from "../config/config.ts";
import { logPasswordFiles } from "../events/log-location.ts";
import type { Gate } from "../projections/board/tables.ts";
import { confinedFolder } from "./runner/confined-folder.ts";
import { gateEnvironment } from "./runner/environment.ts";
import type { Command } from "./runner/run-command.ts";
import { runFolderIn } from "./runner/workspace-lock.ts";

/**
 * A gate's run settings: shell, folder, environment, timeout and isolation. @throws RunnerError `folder`
 */
export function gateCommand(
  { command, timeout_s }: Pick<Gate, "command" | "timeout_s">,
  {
    folder: root,
    runFolder,
    config,
  }: {
    /** The workspace. */
    readonly folder: string;
    readonly runFolder?: string | undefined;
    readonly config: Pick<Config, "gates" | "log">;
  },
): Pick<Command, "command" | "folder" | "timeoutMs" | "environment" | "isolation" | "shell"> {
  const { folder, environment, isolation, shell } = config.gates;
  return {
    command,
    shell,
    folder: confinedFolder(root, folder),
    timeoutMs: timeout_s * 1_000,
    environment: gateEnvironment(process.env, environment),
    isolation: isolation
      ? {
          network: false,
          readOnlyRoot: true,
          writable: root,
          readOnly: dirname(runFolder ?? runFolderIn(root)),
          hidden: logPasswordFiles(process.env, config.log.url),
        }
      : "none",
  };
}
