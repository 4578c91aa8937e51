import { requireChangeable } from "../../config/change-config.ts";
import { logPathBeside, withoutPassword } from "../../events/log-location.ts";
import { openLog } from "../../events/open-log.ts";
import { endFile } from "../../events/sqlite-end.ts";
import { movedFrom } from "../../events/sqlite-moved.ts";
import type { Environment } from "../../lib/environment.ts";
import { carryOver } from "./carry.ts";
import { refusePassword, useLog } from "./join.ts";

export interface Moved {
  /** The log's new place, without a password. */
  readonly url: string;
  readonly events: number;
}

/**
 * Carries a project's log from its file to a server, with positions, ids, times, salts and leaf hashes as they are. At no moment do two
 * logs take appends: the file is ended before anybody learns of the new place. After a kill it can be run again.
 *
 * @param url of a log that is empty, or holds a part of this one from its beginning on
 * @throws FleetError `not_empty`: the other log has events that this one does not have; `password`; LogError
 */
export async function moveToFleet(
  readModelPath: string,
  url: string,
  environment: Environment,
): Promise<Moved> {
  refusePassword(url);
  // What is to be found when the file has ended is found before.
  requireChangeable(readModelPath);
  const path = logPathBeside(readModelPath);
  const to = await openLog({ url }, environment);
  try {
    const place = withoutPassword(url);
    // Else an earlier run was killed between the file's end and the new configuration.
    if (movedFrom(path) !== place) {
      const from = await openLog({ path }, environment);
      try {
        await carryOver(from, to, (carryRest) => endFile(path, place, carryRest));
      } finally {
        await from.close();
      }
    }
    useLog(readModelPath, url);
    return { url: withoutPassword(url), events: await to.head() };
  } finally {
    await to.close();
  }
}
