import { resolve } from "node:path";
import { z } from "zod";
import { GitError } from "../../workspace/git.ts";
import { stateFilePaths } from "../../workspace/state-files/write.ts";
import { withWorkspace } from "../../workspace/workspace.ts";
import { readModelPath } from "../making/command.ts";
import { defineOutside } from "../making/project-command.ts";

/** Works on the files of a folder. */
export const fingerprint = defineOutside({
  input: z.strictObject({ folder: z.string() }),
  async run({ folder }, options) {
    const stateFiles = Object.values(stateFilePaths(readModelPath(options)));
    const look = await withWorkspace(resolve(folder), { stateFiles }, (workspace) => workspace.look());
    if (look) return { fingerprint: look.fingerprint };
    throw new GitError(
      `${resolve(folder)} has no fingerprint: it is not in a git repository, or git is not installed.`,
    );
  },
  command: {
    name: "fingerprint",
    does: "print the fingerprint of a workspace's content: git's files, including new ones, and the state files",
    takes: { folder: ["[folder]", "the workspace (default: this folder)", { absent: "." }] },
    note: 'A driver gives it to a session:\n  signalbox session start 7 --workspace "$(signalbox fingerprint)"',
    example: "",
    says: ({ fingerprint }) => fingerprint,
  },
});
