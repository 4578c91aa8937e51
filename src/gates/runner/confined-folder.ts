import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { errorMessage } from "../../lib/error-message.ts";
import { isIn } from "../../lib/is-in.ts";
import { RunnerError } from "./runner-error.ts";

/**
 * The real path of a command's working folder: inside the project, even through links.
 *
 * @param root the project's or the workspace's folder
 * @param wanted a path relative to it, or an absolute one
 * @throws RunnerError `folder`: missing, not a folder, or outside
 */
export function confinedFolder(root: string, wanted = "."): string {
  const realRoot = realFolder(root);
  const asked = resolve(realRoot, wanted);
  const real = realFolder(asked);
  if (isIn(realRoot, real)) return real;
  const way = real === asked ? asked : `${asked}, which is ${real},`;
  throw new RunnerError(
    "folder",
    `${way} is outside of ${realRoot}. A command runs in the project or in a folder in it; name a ` +
      "folder relative to the project.",
  );
}

function realFolder(path: string): string {
  let real: string;
  try {
    real = realpathSync(path);
  } catch (cause) {
    const why = errorMessage(cause);
    throw new RunnerError("folder", `A command cannot run in ${path}: ${why}. Name an existing folder.`, {
      cause,
    });
  }
  if (!statSync(real).isDirectory()) {
    throw new RunnerError("folder", `A command cannot run in ${path}, which is not a folder. Name a folder.`);
  }
  return real;
}
