import { createWriteStream, existsSync, linkSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { locationOf } from "../../config/locate-log.ts";
import { launchedEnvironment } from "../../decisions/system-environment.ts";
import { openLog } from "../../events/open-log.ts";
import { unfinishedPath } from "../../lib/processes/unfinished-file.ts";
import { printJson } from "../../lib/terminal/output.ts";
import { ExchangeError } from "../../outside/exchange/exchange-error.ts";
import { exportLog } from "../../outside/exchange/export-log.ts";
import {
  type CommonOptions,
  guarded,
  projectOptions,
  readModelPath,
  warnOfFolder,
} from "../making/command.ts";

interface Options extends CommonOptions {
  readonly out?: string;
}

/** Written for commander: prints a stream. */
export function addExport(program: Command): void {
  projectOptions(
    program
      .command("export")
      .description("print the log as JSON lines with hashes and salts, for `signalbox import`")
      .option(
        "--out <file>",
        'a new file, readable by its owner only; with --json print {"file", "head"} (default: stdout)',
      ),
  )
    .addHelpText("after", "\nExample:\n  signalbox export --out shop.ndjson")
    .action((options: Options) =>
      guarded(async () => {
        const db = readModelPath(options);
        warnOfFolder(db);
        const log = await openLog(await locationOf(db), launchedEnvironment(process.env));
        try {
          const { head, text } = await exportLog(log);
          if (options.out === undefined) {
            await pipeline(Readable.from(text), process.stdout, { end: false });
            return;
          }
          const file = resolve(options.out);
          await writeNew(file, Readable.from(text));
          if (options.json) printJson({ file, head });
        } finally {
          await log.close();
        }
      }),
    );
}

/** Under its name when it is whole, and on disk; never over anything. */
async function writeNew(path: string, lines: Readable): Promise<void> {
  const taken = () =>
    new ExchangeError("refused_file", `${path} exists already and was not overwritten. Choose another name.`);
  if (existsSync(path)) throw taken();
  const unfinished = unfinishedPath(path);
  try {
    await pipeline(lines, createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true }));
    linkSync(unfinished, path);
  } catch (error) {
    throw error instanceof Error && "code" in error && error.code === "EEXIST" ? taken() : error;
  } finally {
    rmSync(unfinished, { force: true });
  }
}
