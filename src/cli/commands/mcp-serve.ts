import { existsSync } from "node:fs";
import { logPathBeside } from "../../decisions/store.ts";
import { launchedEnvironment } from "../../decisions/system-environment.ts";
import { LaunchError, readLaunch } from "../../mcp/launch.ts";
import { serveStdio } from "../../mcp/stdio.ts";

/** Serves a session until its client goes away; exits with 2 if the launch is not as it must be. */
export async function serve({ db }: { db?: string }): Promise<void> {
  try {
    const launch = readLaunch(db === undefined ? process.env : { ...process.env, RALPH_DB_PATH: db });
    if (!existsSync(logPathBeside(launch.databasePath))) {
      throw new LaunchError(
        `RALPH_DB_PATH is ${JSON.stringify(launch.databasePath)}, but there is no event log beside it. ` +
          "`signalbox session start TASK --json` prints the right value.",
      );
    }
    await serveStdio(launch, launchedEnvironment(process.env));
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error;
    process.stderr.write(`signalbox mcp: ${error.message}\n`);
    process.exitCode = 2;
  }
}
