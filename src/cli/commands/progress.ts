import type { Command } from "commander";
import { progress } from "../../operations/progress.ts";
import { addGroup } from "../making/operation-commands.ts";
import { stateFileCommand } from "../making/state-file-command.ts";

export function addProgress(program: Command): void {
  const does = "print what is done, what remains, what waits and the last notes: progress.txt as of now";
  const show = stateFileCommand("progress", { does, isDefault: true });
  addGroup(program, { ...progress, has: [show, ...progress.has] });
}
