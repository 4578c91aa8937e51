import { version } from "../../lib/version.ts";
import { type Finding, ok, type Place, skipped } from "../../loop/doctor/check.ts";
import { configCheck } from "../../loop/doctor/config.ts";
import { lookAtLog } from "./log.ts";
import { lookAtHistory, lookAtReadModel } from "./read-model.ts";
import { lookAtRunning } from "./running.ts";

/**
 * What this version does when it first opens a project, and whether an older one still opens it then. Writes nothing: no event, no
 * file.
 *
 * @returns the findings, in order; one is `failed` where a newer version has used the project
 */
export async function previewUpgrade(
  place: Place & { readonly readModelPath: string },
): Promise<readonly Finding[]> {
  const { readModelPath } = place;
  const { events, findings } = await lookAtLog(readModelPath);
  const found = [
    ok("version", `signalbox ${version}`),
    ...findings,
    ...(events === undefined ? [] : [lookAtReadModel(readModelPath, events), lookAtHistory(readModelPath)]),
    ...(await configCheck.look(place)),
    ...lookAtRunning(readModelPath),
  ];
  return [...found, found.some(({ state }) => state === "failed") ? skipped(BACK, "see above") : back()];
}

const BACK = "going back";

function back(): Finding {
  return {
    name: BACK,
    state: "ok",
    found:
      "an older version opens the log until it meets an event that it does not know; it refuses the rebuilt read model, so delete .ralph/db/ralph.db first",
    mend: "Before you install, run `signalbox backup ../before-upgrade.db`: `signalbox restore` brings that back for any version.",
  };
}
