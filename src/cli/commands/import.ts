import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { logPathBeside } from "../../decisions/store.ts";
import { launchedEnvironment } from "../../environment.ts";
import { type Restored, restoreExport } from "../../exchange/restore-log.ts";
import { prepareFolder } from "../../project.ts";
import { type CommonOptions, guarded, readingOptions, readModelPath, warnOfFolder } from "../command.ts";
import { pc, print, printJson } from "../output.ts";

interface Options extends CommonOptions {
  readonly dryRun?: boolean;
}

export function addImport(program: Command): void {
  readingOptions(
    program
      .command("import")
      .description("put an exported log back")
      .argument("<file>", "what is to be imported; - for stdin")
      .argument(
        "[folder]",
        "the project's folder, made where there is none; absent: the project of this folder",
      )
      .option("--dry-run", "say what would come of it, and record nothing"),
  )
    .addHelpText("after", "\nExample:\n  signalbox import shop.ndjson shop-again")
    .action((file: string, folder: string | undefined, options: Options) =>
      guarded(() => importLog(file, folder, options)),
    );
}

async function importLog(file: string, folder: string | undefined, options: Options): Promise<void> {
  const db = folder === undefined ? readModelPath(options) : prepareFolder(resolve(folder));
  warnOfFolder(db);
  const chunks: AsyncIterable<Uint8Array> = file === "-" ? process.stdin : createReadStream(file);
  const environment = launchedEnvironment(process.env);
  const restored = await restoreExport(chunks, logPathBeside(db), environment, options.dryRun === true);
  if (options.json) printJson(restored);
  else print(`${pc.green("✓")} ${sentence(restored, options.dryRun === true)}`);
}

function sentence({ head, before, restored, replaced }: Restored, dryRun: boolean): string {
  if (restored === 0) return `Nothing to do: the project has all ${head} events of the file.`;
  const had =
    before > 0 ? `; it had ${before} of them` : replaced > 0 ? `, in place of the ${replaced} of init` : "";
  return `${restored} of ${head} events ${dryRun ? "would be" : "were"} put back, each as it was appended${had}.`;
}
