import type { Command } from "commander";
import { learnings } from "../../operations/learnings.ts";
import { addGroup } from "../making/operation-commands.ts";
import { stateFileCommand } from "../making/state-file-command.ts";

export function addLearning(program: Command): void {
  const show = stateFileCommand("learnings", { does: "print all of it as text: learnings.txt as of now" });
  addGroup(program, { ...learnings, has: [...learnings.has, show] });
}
