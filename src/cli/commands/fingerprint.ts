import { resolve } from "node:path";
import type { Command } from "commander";
import { print, printJson } from "../../lib/terminal/output.ts";
import { GitError } from "../../workspace/git.ts";
import { stateFilePaths } from "../../workspace/state-files/write.ts";
import { withWorkspace } from "../../workspace/workspace.ts";
import { type CommonOptions, guarded, projectOptions, readModelPath } from "../making/command.ts";

export function addFingerprint(program: Command): void {
  projectOptions(
    program
      .command("fingerprint")
      .description(
        "print the fingerprint of a workspace's content: git's files, including new ones, and the state files",
      )
      .argument("[folder]", "the workspace (default: this folder)", "."),
  )
    .addHelpText("after", '\nExample:\n  signalbox session start 7 --workspace "$(signalbox fingerprint)"')
    .action((folder: string, options: CommonOptions) =>
      guarded(async () => {
        const stateFiles = Object.values(stateFilePaths(readModelPath(options)));
        const look = await withWorkspace(resolve(folder), { stateFiles }, (workspace) => workspace.look());
        if (!look)
          throw new GitError(
            `${resolve(folder)} has no fingerprint: it is not in a git repository, or git is not installed.`,
          );
        if (options.json) printJson({ fingerprint: look.fingerprint });
        else print(look.fingerprint);
      }),
    );
}
