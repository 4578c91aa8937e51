import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isIn } from "../../lib/is-in.ts";
import { platform } from "../../lib/platform/here.ts";

/**
 * The path of a system program, found on PATH; undefined if there is none.
 *
 * @param writable a real path. Programs in it are ignored, since a command could have put them
 * there: npm has the project's own `node_modules/.bin` on PATH
 */
export function findTool(name: string, writable: string): string | undefined {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .flatMap((folder) => platform().programs.files(join(folder, name)))
    .find((path) => canBeRun(path) && !isIn(writable, path) && !isIn(writable, realpathSync(path)));
}

function canBeRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
