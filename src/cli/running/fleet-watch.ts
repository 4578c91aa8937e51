import { readConfig } from "../../config/config.ts";
import { locationOf } from "../../config/locate-log.ts";
import { FleetWatch } from "../../outside/fleet/view.ts";
import { type CommonOptions, readModelPath } from "../making/command.ts";

/** Who looks at the servers and hosts of a project's log; undefined for a log that is a file. */
export async function fleetWatchOf(options: CommonOptions): Promise<FleetWatch | undefined> {
  const path = readModelPath(options);
  const location = await locationOf(path);
  if (!("url" in location)) return undefined;
  return new FleetWatch({ url: location.url, readModelPath: path, silence_ms: silenceOf(options) });
}

/** How long a host of a project is silent before it is suspect. */
export function silenceOf(options: CommonOptions): number {
  return readConfig(readModelPath(options)).fleet.host_silence_s * 1_000;
}
