import { z } from "zod";
import { rebuildAll } from "../../projections/worker.ts";
import { projectOptions } from "../command.ts";
import { progressBar } from "../progress.ts";
import { defineCommand } from "../project-command.ts";

export const rebuild = defineCommand({
  input: z.strictObject({}),
  options: projectOptions,
  async run({ store: { readModel }, log }) {
    const bar = progressBar("events", await log.head());
    await rebuildAll(readModel, log, (position) => bar.update(position));
    bar.stop();
    return { position: readModel.position(), content_hash: readModel.contentHash() };
  },
  command: {
    name: "rebuild",
    does: "rebuild the read model from the whole log, then replace the current tables",
    takes: {},
    example: "",
    says: ({ position, content_hash }) =>
      `Rebuilt the read model from ${position} events; its content hash is ${content_hash}.`,
  },
});
