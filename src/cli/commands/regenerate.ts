import type { Command } from "commander";
import { regenerate } from "../../mcp/generating/regenerate.ts";
import { catchUp } from "../../projections/worker.ts";
import { pc, print, printJson } from "../../terminal/output.ts";
import { type CommonOptions, guarded, projectOptions, readModelPath, withProject } from "../command.ts";

export function addRegenerate(program: Command): void {
  projectOptions(
    program
      .command("regenerate")
      .description(
        "regenerate .ralph/mcp/: the configuration for your own MCP client, and the tools of each recipe",
      ),
  )
    .addHelpText("after", "\nExample:\n  signalbox regenerate --json")
    .action((options: CommonOptions) =>
      guarded(() =>
        withProject(options, async ({ store }) => {
          await catchUp(store.readModel, store.log);
          const files = regenerate(store.readModel, readModelPath(options));
          if (options.json) printJson(files);
          else for (const { path, became } of files) print(`${path}${pc.dim(HOW[became])}`);
        }),
      ),
    );
}

const HOW = { written: "", same: " (unchanged)", removed: " (removed)" } as const;
