import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The path of a file of the package, such as `bin/signalbox.js`. */
export function packagePath(relative: string): string {
  return fileURLToPath(new URL(relative, root));
}

/**
 * The path of a file in this code's own build, such as `web`. Source code uses the current build.
 */
export function builtPath(relative: string): string {
  return fileURLToPath(new URL(relative, buildFolder()));
}

const here = new URL("..", import.meta.url);

/** Source files are two folders below it, a built program three, a test's bundle elsewhere. */
const root = nearestPackage();

function nearestPackage(): URL {
  let folder = here;
  while (!existsSync(new URL("package.json", folder)) && folder.pathname !== "/") {
    folder = new URL("..", folder);
  }
  return folder;
}

function buildFolder(): URL {
  if (existsSync(new URL("web/index.html.gz", here))) return here;
  const { folder } = JSON.parse(readFileSync(packagePath("dist/build.json"), "utf8"));
  return new URL(`dist/${folder}/`, root);
}
