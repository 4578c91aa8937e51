import { locationOf } from "../../config/locate-log.ts";
import { launchedEnvironment } from "../../decisions/system-environment.ts";
import { logExists } from "../../events/log-location.ts";
import { ToldError } from "../../lib/told-error.ts";
import { LaunchError, readLaunch } from "../../mcp/launch.ts";
import { serveStdio } from "../../mcp/stdio.ts";

/** Serves a session until its client goes away; exits with 2 if the launch is not as it must be. */
export async function serve({ db }: { db?: string }): Promise<void> {
  try {
    const launch = readLaunch(db === undefined ? process.env : { ...process.env, RALPH_DB_PATH: db });
    if (!logExists(await locationOf(launch.databasePath))) {
      throw new LaunchError(
        `RALPH_DB_PATH is ${JSON.stringify(launch.databasePath)}, but there is no event log beside it. ` +
          "`signalbox session start TASK --json` prints the right value.",
      );
    }
    await serveStdio(launch, launchedEnvironment(process.env));
  } catch (error) {
    if (!(error instanceof ToldError)) throw error;
    process.stderr.write(`signalbox mcp: ${error.message}\n`);
    process.exitCode = 2;
  }
}
