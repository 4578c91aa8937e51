import { z } from "zod";
import { pc } from "../../lib/terminal/output.ts";
import { regenerate as regenerateFiles } from "../../mcp/generating/regenerate.ts";
import { catchUp } from "../../read-model/worker.ts";
import { projectOptions, readModelPath } from "../making/command.ts";
import { defineCommand } from "../making/project-command.ts";

export const regenerate = defineCommand({
  input: z.strictObject({}),
  options: projectOptions,
  async run({ store: { readModel, log } }, _input, options) {
    await catchUp(readModel, log);
    return regenerateFiles(readModel, readModelPath(options));
  },
  command: {
    name: "regenerate",
    does: "regenerate .ralph/mcp/: the configuration for your own MCP client, and the tools of each recipe",
    takes: {},
    example: "--json",
    says: (files) =>
      files.map(({ path, became }) => `${path}${became === "same" ? pc.dim(" (unchanged)") : ""}`),
  },
});
