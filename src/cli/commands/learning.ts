import type { Command } from "commander";
import { learnings } from "../../operations/learnings.ts";
import { addGroup } from "../operation-commands.ts";
import { stateFileCommand } from "../state-file-command.ts";

export function addLearning(program: Command): void {
  const group = addGroup(program, learnings);
  stateFileCommand(group.command("show"), "learnings")
    .description("print all of it as text: learnings.txt as of now")
    .addHelpText("after", "\nExample:\n  signalbox learning show");
}
