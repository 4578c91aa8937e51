import { z } from "zod";
import { quoteLine } from "../../lib/terminal/output.ts";
import { stoppedProjections } from "../../queries/overview.ts";
import { rebuildAll } from "../../read-model/worker.ts";
import { EXIT, projectOptions } from "../making/command.ts";
import { defineCommand } from "../making/project-command.ts";
import { progressBar } from "../printing/progress.ts";

const OWN = "Its program rebuilds it when it next opens the project.";
const OURS = "Update signalbox and try again.";

export const rebuild = defineCommand({
  input: z.strictObject({}),
  options: projectOptions,
  async run({ store: { readModel }, log }) {
    const bar = progressBar("events", await log.head());
    await rebuildAll(readModel, log, (position) => bar.update(position));
    bar.stop();
    return {
      position: readModel.position(),
      content_hash: readModel.contentHash(),
      stopped: stoppedProjections(readModel),
    };
  },
  command: {
    name: "rebuild",
    does: "rebuild the read model from the whole log, then replace the current tables",
    takes: {},
    example: "",
    says: ({ position, content_hash, stopped }) =>
      [
        `Rebuilt the read model from ${position} events; its content hash is ${content_hash}.`,
        ...stopped.map(
          ({ projection, error, own }) =>
            `Projection ${projection} stopped at ${quoteLine(error ?? "", 300)}. ${own ? OWN : OURS}`,
        ),
      ].join("\n"),
  },
  afterwards({ stopped }) {
    if (stopped.length > 0) process.exitCode = EXIT.unusable;
  },
});
