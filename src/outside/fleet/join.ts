import { existsSync } from "node:fs";
import { changeConfig, requireChangeable } from "../../config/change-config.ts";
import { trustLog } from "../../config/known-log.ts";
import type { LogIdentity } from "../../events/log.ts";
import { hasPassword, logPathBeside, withoutPassword } from "../../events/log-location.ts";
import { openLog } from "../../events/open-log.ts";
import { movedFrom } from "../../events/sqlite-moved.ts";
import type { Environment } from "../../lib/environment.ts";
import { FleetError } from "./fleet-error.ts";

export interface Joined extends LogIdentity {
  /** The log's place, without a password. */
  readonly url: string;
  readonly head: number;
}

/**
 * Lets a project's folder on this host work on the log of a fleet: writes `log.url` into its configuration, which stays confirmed, and
 * takes the log as known.
 *
 * @param readModelPath of the folder, which need not be a project yet
 * @throws FleetError `other_log`: the folder has a log of its own; `password`
 * @throws LogError: the server, the login or the log is not right; ConfigError
 */
export async function joinFleet(
  readModelPath: string,
  url: string,
  environment: Environment,
): Promise<Joined> {
  refusePassword(url);
  requireChangeable(readModelPath);
  await refuseOwnLog(readModelPath, url, environment);
  const log = await openLog({ url }, environment);
  try {
    const joined = { url: withoutPassword(url), head: await log.head(), ...(await log.identity()) };
    useLog(readModelPath, url);
    await trustLog(log, readModelPath);
    return joined;
  } finally {
    await log.close();
  }
}

/** From now on the project's log is at this URL; or in its file, if there is none. */
export function useLog(readModelPath: string, url: string | undefined): void {
  changeConfig(readModelPath, ({ log, ...others }: { readonly log?: LogConfig }) => {
    const { url: _, ...rest } = log ?? {};
    const next = url === undefined ? rest : { ...log, url };
    return Object.keys(next).length === 0 ? others : { ...others, log: next };
  });
}

interface LogConfig {
  readonly url?: string;
}

/** @throws FleetError `password` */
export function refusePassword(url: string): void {
  if (!hasPassword(url)) return;
  throw new FleetError(
    "password",
    "The URL holds a password, which the configuration would keep and the list of processes shows. Take it out, and put it into ~/.pgpass (HOST:PORT:DATABASE:USER:PASSWORD, readable by you alone), or use a client certificate.",
  );
}

async function refuseOwnLog(readModelPath: string, url: string, environment: Environment): Promise<void> {
  const path = logPathBeside(readModelPath);
  // What went to a fleet is no other log.
  if (!existsSync(path) || movedFrom(path) !== undefined) return;
  const own = await openLog({ path }, environment);
  const head = await own.head().finally(() => own.close());
  throw new FleetError(
    "other_log",
    `This project has a log of its own, with ${head} events. \`signalbox fleet move ${withoutPassword(url)}\` carries it over; to join without it, move ${path} away.`,
  );
}
