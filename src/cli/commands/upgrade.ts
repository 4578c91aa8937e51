import type { Command } from "commander";
import { type CommonOptions, guarded, projectOptions, readModelPath } from "../making/command.ts";
import { reportFindings } from "../printing/report-findings.ts";
import { previewUpgrade } from "../upgrade/index.ts";

export function addUpgrade(program: Command): void {
  projectOptions(
    program
      .command("upgrade")
      .description("say what this version does to the project when it first opens it; changes nothing"),
  )
    .addHelpText("after", "\nExample:\n  npx signalbox@latest upgrade")
    .action((options: CommonOptions) =>
      guarded(async () => {
        const place = {
          cwd: process.cwd(),
          env: process.env,
          noProject: "",
          readModelPath: readModelPath(options),
        };
        reportFindings(await previewUpgrade(place), options.json);
      }),
    );
}
