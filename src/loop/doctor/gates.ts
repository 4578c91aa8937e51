import { dirname } from "node:path";
import { confinedFolder } from "../../gates/runner/confined-folder.ts";
import { findIsolator } from "../../gates/runner/isolation.ts";
import { RunnerError } from "../../gates/runner/runner-error.ts";
import { ralphFolderOf } from "../../lib/project-folder.ts";
import { type Check, type Finding, failed, ok, type Place } from "./check.ts";
import { usableConfig } from "./config.ts";
import { findProgram } from "./program.ts";

/**
 * Whether gates can run as configured, in their folder and isolated; nothing if neither is
 * configured.
 */
export const gatesCheck: Check = {
  name: "gates",
  async look(place) {
    const gates = usableConfig(place)?.gates;
    if (place.readModelPath === undefined || gates === undefined) return [];
    const root = dirname(ralphFolderOf(place.readModelPath));
    const folder = folderIn(root, gates.folder);
    if (typeof folder !== "string") return [folder];
    return [
      ...shellFindings(gates.shell, { cwd: folder, env: place.env }),
      ...(gates.folder === "." ? [] : [ok("gates folder", `they run in ${folder}`)]),
      ...(gates.isolation ? [await isolationFinding(folder)] : []),
    ];
  },
};

function shellFindings([shell]: readonly string[] = [], where: Pick<Place, "cwd" | "env">): Finding[] {
  if (shell === undefined) return [];
  const path = findProgram(shell, where);
  if (path !== undefined) return [ok("gates shell", `they run with ${path}`)];
  const mend = 'Install it, or correct "gates.shell" in .ralph/config.json.';
  return [failed("gates shell", `There is no program ${shell}, so no gate runs`, mend)];
}

function folderIn(root: string, folder: string): string | Finding {
  try {
    return confinedFolder(root, folder);
  } catch (error) {
    if (!(error instanceof RunnerError)) throw error;
    return failed("gates folder", error.message, 'Correct "gates.folder" in .ralph/config.json.');
  }
}

async function isolationFinding(folder: string): Promise<Finding> {
  const { isolator, problems } = await findIsolator({ folder, writable: folder });
  if (isolator) return ok("isolation", `gates can be isolated by ${isolator.by}`);
  return failed(
    "isolation",
    `The configuration asks for isolation, which is not available here (${problems.join("; ")}), so no gate runs`,
    'Install bubblewrap and allow user namespaces, or set "gates.isolation": false.',
  );
}
