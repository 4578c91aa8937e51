import { resolve } from "node:path";
import type { Command } from "commander";
import { prepareFolder, readModelPathIn } from "../../api/project.ts";
import { trustLog } from "../../config/known-log.ts";
import { locationOf } from "../../config/locate-log.ts";
import { launchedEnvironment } from "../../decisions/system-environment.ts";
import { describeLocation, type LogLocation } from "../../events/log-location.ts";
import { openLog } from "../../events/open-log.ts";
import { copyLog, copyLogByRecords, type LogCopy, restoreLog } from "../../events/sqlite-backup.ts";
import { LogError } from "../../lib/log-error.ts";
import { pc, print, printJson } from "../../lib/terminal/output.ts";
import {
  type CommonOptions,
  guarded,
  projectOptions,
  readModelPath,
  warnOfFolder,
} from "../making/command.ts";

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
        const copy = await backUp(await locationOf(db), path);
        report(options, { file: path, ...copy }, `Copied to ${path}`);
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
        const location = await locationOf(readModelPathIn(resolve(folder)));
        if ("url" in location) throw isOnServer(location);
        const path = resolve(file);
        const copy = await restoreLog(path, location.path);
        await trustLogAt(prepareFolder(resolve(folder)), location);
        report(options, { file: path, ...copy }, `Restored into ${resolve(folder)}`);
      }),
    );
}

/** A human has chosen what is there now. @throws LogError */
export async function trustLogAt(readModelPath: string, location: LogLocation): Promise<void> {
  const log = await openLog(location, launchedEnvironment(process.env));
  await trustLog(log, readModelPath).finally(() => log.close());
}

/** The pages of a file, as they are; the events of any other log, as a file with the same leaf hashes. */
async function backUp(location: LogLocation, to: string): Promise<LogCopy> {
  if ("path" in location) return copyLog(location.path, to);
  const environment = launchedEnvironment(process.env);
  const log = await openLog(location, environment);
  try {
    return await copyLogByRecords(log, to, environment);
  } finally {
    await log.close();
  }
}

function isOnServer(location: LogLocation): LogError {
  return new LogError(
    "bad_location",
    `This project's log is ${describeLocation(location)}, and \`signalbox restore\` writes a file. ` +
      "Restore the backup into another folder, and carry that project to an empty log with `signalbox fleet move`.",
  );
}

function report({ json }: { json?: boolean }, copy: LogCopy & { file: string }, done: string): void {
  if (json) printJson(copy);
  else print(`${pc.green("✓")} ${done}: ${copy.head} events, all unchanged`);
}
