import type { Command } from "commander";
import { LogError } from "../../events/log-error.ts";
import type { Place } from "../../loop/doctor/check.ts";
import { examine } from "../../loop/doctor/index.ts";
import { printJson } from "../../terminal/output.ts";
import { type CommonOptions, EXIT, guarded, projectOptions, readModelPath } from "../command.ts";
import { showFinding } from "../show-finding.ts";

export function addDoctor(program: Command): void {
  projectOptions(
    program
      .command("doctor")
      .description("check the whole installation and say how to fix each problem; changes nothing"),
  )
    .addHelpText("after", "\nExample:\n  signalbox doctor")
    .action((options: CommonOptions) =>
      guarded(async () => {
        const findings = await examine(placeOf(options));
        if (options.json) printJson(findings);
        else for (const finding of findings) showFinding(finding);
        if (findings.some(({ state }) => state === "failed")) process.exitCode = EXIT.refused;
      }),
    );
}

/** Without a project there is less to look at, and that is all. */
function placeOf(options: CommonOptions): Place {
  const place = { cwd: process.cwd(), env: process.env };
  try {
    return { ...place, readModelPath: readModelPath(options), noProject: "" };
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    return {
      ...place,
      readModelPath: undefined,
      noProject: `There is no .ralph/ in ${place.cwd} or in a folder above it`,
    };
  }
}
