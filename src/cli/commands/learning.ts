import type { Command } from "commander";
import { learnings } from "../../operations/learnings.ts";
import { addGroup } from "../operation-commands.ts";
import { stateFileCommand } from "../state-file-command.ts";

export function addLearning(program: Command): void {
  const show = stateFileCommand("learnings", { does: "print all of it as text: learnings.txt as of now" });
  addGroup(program, { ...learnings, has: [...learnings.has, show] });
}
