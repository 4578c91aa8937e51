import type { Command } from "commander";
import { LogError } from "../../lib/log-error.ts";
import type { Place } from "../../loop/doctor/check.ts";
import { examine } from "../../loop/doctor/index.ts";
import { type CommonOptions, guarded, projectOptions, readModelPath } from "../making/command.ts";
import { reportFindings } from "../printing/report-findings.ts";

export function addDoctor(program: Command): void {
  projectOptions(
    program
      .command("doctor")
      .description("check the whole installation and say how to fix each problem; changes nothing"),
  )
    .addHelpText("after", "\nExample:\n  signalbox doctor")
    .action((options: CommonOptions) =>
      guarded(async () => reportFindings(await examine(placeOf(options)), options.json)),
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
