import type { Command } from "commander";
import { printJson } from "../../terminal/output.ts";
import { type CommonOptions, EXIT, guarded, projectOptions, readModelPath } from "../command.ts";
import { showFinding } from "../show-finding.ts";
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
        const findings = await previewUpgrade(place);
        if (options.json) printJson(findings);
        else for (const finding of findings) showFinding(finding);
        if (findings.some(({ state }) => state === "failed")) process.exitCode = EXIT.refused;
      }),
    );
}
