import type { Command } from "commander";
import { z } from "zod";
import { pc } from "../../lib/terminal/output.ts";
import { learnings } from "../../operations/learnings.ts";
import { progress } from "../../operations/progress.ts";
import { catchUp } from "../../read-model/worker.ts";
import { readStateFile } from "../../workspace/state-files/read.ts";
import { type StateFileName, stateFilePaths, writeStateFiles } from "../../workspace/state-files/write.ts";
import { projectOptions, readingOptions, readModelPath } from "../making/command.ts";
import { addGroup } from "../making/operation-commands.ts";
import { defineCommand } from "../making/project-command.ts";

/** Writes files. */
export const stateFiles = defineCommand({
  input: z.strictObject({}),
  options: projectOptions,
  async run({ store: { readModel, log } }, _input, options) {
    await catchUp(readModel, log);
    return writeStateFiles(readModel, readModelPath(options));
  },
  command: {
    name: "state-files",
    does: "write .ralph/progress.txt and .ralph/learnings.txt as the log has them",
    takes: {},
    example: "--json",
    says: (files) => files.map(({ path, written }) => `${path}${written ? "" : pc.dim(" (as it was)")}`),
  },
});

export function addLearning(program: Command): void {
  const show = stateFileCommand("learnings", { does: "print all of it as text: learnings.txt as of now" });
  addGroup(program, { ...learnings, has: [...learnings.has, show] });
}

export function addProgress(program: Command): void {
  const does = "print what is done, what remains, what waits and the last notes: progress.txt as of now";
  const show = stateFileCommand("progress", { does, isDefault: true });
  addGroup(program, { ...progress, has: [show, ...progress.has] });
}

/** A command that prints the whole text of a state file as the log has it now; the file is not touched. */
function stateFileCommand(
  file: StateFileName,
  words: { readonly does: string; readonly isDefault?: boolean },
) {
  return defineCommand({
    input: z.strictObject({}),
    options: readingOptions,
    async run({ store: { readModel, log } }, _input, options) {
      await catchUp(readModel, log);
      const { text } = readModel.snapshot(() => readStateFile(readModel, file, Number.POSITIVE_INFINITY));
      // The read model of a project as it was has no file beside which this one would lie.
      return { text, file: stateFilePaths(readModelPath(options))[file] };
    },
    command: { name: "show", takes: {}, example: "", says: ({ text }) => text.replace(/\n$/, ""), ...words },
  });
}
