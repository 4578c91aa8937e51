import { resolve } from "node:path";
import { z } from "zod";
import { prepareFolder, readModelPathIn } from "../../api/project.ts";
import { trustLog } from "../../config/known-log.ts";
import { locationOf } from "../../config/locate-log.ts";
import { launchedEnvironment } from "../../decisions/system-environment.ts";
import { describeLocation, type LogLocation } from "../../events/log-location.ts";
import { openLog } from "../../events/open-log.ts";
import { copyLog, copyLogByRecords, type LogCopy, restoreLog } from "../../events/sqlite-backup.ts";
import { LogError } from "../../lib/log-error.ts";
import { pc } from "../../lib/terminal/output.ts";
import { jsonOption, readModelPath, warnOfFolder } from "../making/command.ts";
import { defineOutside } from "../making/project-command.ts";

/** Copies the log's file without opening the project. */
export const backup = defineOutside({
  input: z.strictObject({ file: z.string() }),
  async run({ file }, options) {
    const db = readModelPath(options);
    warnOfFolder(db);
    const path = resolve(file);
    return { file: path, ...(await backUp(await locationOf(db), path)) };
  },
  command: {
    name: "backup",
    does: "copy the log to a file, consistent even while others append",
    takes: { file: ["<file>", "a new file"] },
    example: "/backups/shop.db",
    says: (copy) => copied(`Copied to ${copy.file}`, copy),
  },
});

/** There is no project yet. */
export const restore = defineOutside({
  input: z.strictObject({ file: z.string(), folder: z.string() }),
  options: jsonOption,
  async run({ file, folder }) {
    const location = await locationOf(readModelPathIn(resolve(folder)));
    if ("url" in location) throw isOnServer(location);
    const path = resolve(file);
    const copy = await restoreLog(path, location.path);
    await trustLogAt(prepareFolder(resolve(folder)), location);
    return { file: path, ...copy };
  },
  command: {
    name: "restore",
    does: "create a project from a backup; never overwrites a log",
    takes: {
      file: ["<file>", "a file that `signalbox backup` wrote"],
      folder: ["[folder]", "the project's folder (default: this one)", { absent: "." }],
    },
    example: "/backups/shop.db shop",
    says: (copy, { folder }) => copied(`Restored into ${resolve(folder)}`, copy),
  },
});

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

function copied(done: string, { head }: LogCopy): string {
  return `${pc.green("✓")} ${done}: ${head} events, all unchanged`;
}
