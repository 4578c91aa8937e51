import { type Finding, ok, warning } from "../../loop/doctor/check.ts";
import { listDrivers } from "../../loop/drivers/registry.ts";
import { servedAt } from "../../mcp/http/server-file.ts";

/** Programs that go on with the version with which they began: loops, and servers of tools. */
export function lookAtRunning(readModelPath: string): Finding[] {
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
