import { version } from "../../lib/version.ts";
import { type Finding, ok, type Place, skipped, warning } from "../../loop/doctor/check.ts";
import { configCheck } from "../../loop/doctor/config.ts";
import { listDrivers } from "../../loop/drivers/registry.ts";
import { servedAt } from "../../mcp/http/server-file.ts";
import { lookAtLog } from "./log.ts";
import { lookAtHistory, lookAtReadModel } from "./read-model.ts";

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

/** Programs that go on with the version with which they began: loops, and servers of tools. */
function lookAtRunning(readModelPath: string): Finding[] {
  const loops = listDrivers(readModelPath).filter(({ alive }) => alive);
  const url = servedAt(readModelPath);
  const findings = loops.map(({ driver, pid }) =>
    warning(
      NAME,
      `loop ${driver} runs (process ${pid})`,
      `Stop it before you install: \`signalbox work stop ${driver}\`.`,
    ),
  );
  if (url !== undefined)
    findings.push(warning(NAME, `a server runs at ${url}`, "Stop it before you install."));
  return findings.length > 0 ? findings : [ok(NAME, "no loop and no server of this folder runs")];
}

const NAME = "running";
