import { z } from "zod";
import { pc } from "../../lib/terminal/output.ts";
import { catchUp } from "../../read-model/worker.ts";
import { writeStateFiles } from "../../workspace/state-files/write.ts";
import { projectOptions, readModelPath } from "../making/command.ts";
import { defineCommand } from "../making/project-command.ts";

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
