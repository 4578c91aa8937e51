import type { ServerFault } from "../../adapters.ts";
import { locationOf } from "../../config/locate-log.ts";
import { operating } from "../../events/open-log.ts";
import { LogError } from "../../lib/log-error.ts";
import { counted } from "../../lib/readable.ts";
import { type Check, type Finding, failed, ok, warning } from "./check.ts";

const NAME = "servers";

/** How long a server has to answer. */
const PATIENCE_MS = 1_000;

/** Whether the servers that keep a shared log hold what is promised (docs/fleet.md); says nothing of a log that is a file. */
export const serversCheck: Check = {
  name: NAME,
  async look({ readModelPath, env }) {
    if (readModelPath === undefined) return [];
    try {
      const location = await locationOf(readModelPath, env);
      if (!("url" in location)) return [];
      const { surveyServers } = await operating();
      const { servers, facts, faults } = await surveyServers(location.url, Date.now, PATIENCE_MS);
      if (faults.length > 0) return faults.map(judge);
      const standbys = counted(facts?.standbys.length ?? 0, "standby", "standbys");
      return [ok(NAME, `${counted(servers.length, "server")} named; ${standbys} connected`)];
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      // The log's own check says it.
      if (error.code === "bad_location") return [];
      return [failed(NAME, error.message, "Follow that advice.")];
    }
  },
};

function judge({ what, found, mend }: ServerFault): Finding {
  return STOPS.has(what) ? failed(NAME, found, mend) : warning(NAME, found, mend);
}

/** Faults because of which nothing is recorded, or what is recorded may be lost. */
const STOPS: ReadonlySet<ServerFault["what"]> = new Set([
  "away",
  "refused",
  "no_standby",
  "not_durable",
  "level",
]);
