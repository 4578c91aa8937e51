import { fileURLToPath } from "node:url";

/** The package's folder: this file lies one below it, both in src and, built, in dist. */
const root = new URL("../", import.meta.url);

/** The path of a file of the package, such as `bin/signalbox.js`. */
export function packagePath(relative: string): string {
  return fileURLToPath(new URL(relative, root));
}
