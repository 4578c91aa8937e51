import { knownLog, knownTree } from "../../config/known-log.ts";
import { projectState } from "../../config/project-state.ts";
import { LogError } from "../../lib/log-error.ts";
import { originOf, type TreeHead } from "./checkpoint.ts";

/** The tree head that was seen last in a project on this machine; undefined: none was, or nobody can tell. */
export function knownHead(readModelPath: string): TreeHead | undefined {
  try {
    const known = knownLog(projectState(readModelPath));
    if (!known || known.size === 0) return undefined;
    return { origin: originOf(known.log), size: known.size, root: knownTree(known).root() };
  } catch (error) {
    if (error instanceof LogError && error.code === "no_state") return undefined;
    throw error;
  }
}
