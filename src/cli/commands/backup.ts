import { resolve } from "node:path";
import type { Command } from "commander";
import { logPathBeside } from "../../decisions/store.ts";
import { copyLog, type LogCopy, restoreLog } from "../../events/sqlite-backup.ts";
import { readModelPathIn } from "../../project/project.ts";
import { pc, print, printJson } from "../../terminal/output.ts";
import { type CommonOptions, guarded, projectOptions, readModelPath, warnOfFolder } from "../command.ts";

export function addBackup(program: Command): void {
  projectOptions(
    program
      .command("backup")
      .description("copy the log to a file, consistent even while others append")
      .argument("<file>", "a new file"),
  )
    .addHelpText("after", "\nExample:\n  signalbox backup /backups/shop.db")
    .action((file: string, options: CommonOptions) =>
      guarded(async () => {
        const db = readModelPath(options);
        warnOfFolder(db);
        const path = resolve(file);
        report(options, { file: path, ...(await copyLog(logPathBeside(db), path)) }, `Copied to ${path}`);
      }),
    );
}

export function addRestore(program: Command): void {
  program
    .command("restore")
    .description("create a project from a backup; never overwrites a log")
    .argument("<file>", "a file that `signalbox backup` wrote")
    .argument("[folder]", "the project's folder (default: this one)", ".")
    .option("--json", 'print {"file", "head", "leafHash"}')
    .addHelpText("after", "\nExample:\n  signalbox restore /backups/shop.db shop")
    .action((file: string, folder: string, options: { json?: boolean }) =>
      guarded(async () => {
        const log = logPathBeside(readModelPathIn(resolve(folder)));
        const path = resolve(file);
        report(options, { file: path, ...(await restoreLog(path, log)) }, `Restored into ${resolve(folder)}`);
      }),
    );
}

function report({ json }: { json?: boolean }, copy: LogCopy & { file: string }, done: string): void {
  if (json) printJson(copy);
  else print(`${pc.green("✓")} ${done}: ${copy.head} events, all unchanged`);
}
