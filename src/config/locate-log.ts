import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LOG_URL_VARIABLE, type LogLocation, logPathBeside, urlFault } from "../events/log-location.ts";
import { errorMessage } from "../lib/error-message.ts";
import { LogError } from "../lib/log-error.ts";
import { ToldError } from "../lib/told-error.ts";
import { configPathOf } from "./config-path.ts";
import { refuseTrackedJournals } from "./tracked-journals.ts";

/**
 * Where the log of a project is: `SIGNALBOX_LOG_URL`, else `log.url` in its confirmed configuration, else the file beside the read
 * model. All who open the log ask here.
 *
 * @param readModelPath `.ralph/db/ralph.db`, RALPH_DB_PATH
 * @throws LogError `bad_location`: the configuration cannot be used, or nobody has confirmed that the log is there; `disk`: git tracks
 * a journal of it
 */
export async function locationOf(
  readModelPath: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<LogLocation> {
  const named = env[LOG_URL_VARIABLE];
  await refuseTrackedJournals(readModelPath);
  const fault = named && urlFault(named);
  if (fault) throw new LogError("bad_location", `${LOG_URL_VARIABLE} ${fault}.`);
  const configured = await logInConfig(readModelPath, env);
  const url = named || configured?.url;
  if (!url) return { path: logPathBeside(readModelPath) };
  const acknowledged = join(dirname(readModelPath), "acknowledged");
  if (!configured) return { url, acknowledged };
  return { url, acknowledged, patience_ms: configured.patience_s * 1_000 };
}

/** Loads the schema only for a file that may have a log: most have none, and every command asks. */
async function logInConfig(readModelPath: string, env: Readonly<Record<string, string | undefined>>) {
  const path = configPathOf(readModelPath);
  if (!existsSync(path) || !textOf(path).includes('"log"')) return undefined;
  const { confirmedLog } = await import("./confirmed.ts");
  try {
    return confirmedLog(readModelPath, env);
  } catch (cause) {
    throw cause instanceof ToldError ? new LogError("bad_location", cause.message, { cause }) : cause;
  }
}

/** @throws LogError `bad_location`: whoever goes on with the file beside may write to another log than the others */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const why = errorMessage(cause);
    throw new LogError(
      "bad_location",
      `${path}, which may say where the log is, cannot be read: ${why}. Make it readable.`,
      { cause },
    );
  }
}
