import { z } from "zod";
import { askAtHead } from "../../read-model/ask.ts";
import { READ_LIMIT, readStateFile } from "../../workspace/state-files/read.ts";
import type { StateFileName } from "../../workspace/state-files/write.ts";
import { defineTool, READING, type Tool } from "../tool.ts";

/** Tools for `.ralph/learnings.txt` and `.ralph/progress.txt`, which are both rendered from the log. */
export const stateFileTools: readonly Tool[] = [
  readingTool("learnings", {
    name: "read_learnings",
    title: "Read the learnings",
    description: "The project's learnings, by scope and feature: the current learnings.txt.",
    command: "learning show",
  }),
  readingTool("progress", {
    name: "read_progress",
    title: "Read the progress",
    description:
      "What is done, what remains, what waits for a human, and the latest notes: the current " +
      "progress.txt.",
    command: "progress show",
  }),
];

/** A state file's text as the log has it now; the file itself may be older. */
function readingTool(
  file: StateFileName,
  words: Pick<Tool, "name" | "title" | "description" | "command">,
): Tool {
  return defineTool({
    ...words,
    input: z.strictObject({}),
    output: z.strictObject({
      text: z.string(),
      whole: z.boolean().describe("False if something was left out; the text says where and how much."),
      file: z.string().describe("The path of the file."),
    }),
    annotations: READING,
    example: {},
    run: (_args, call) => askAtHead(call.store, (readModel) => readStateFile(readModel, file, READ_LIMIT)),
  });
}
