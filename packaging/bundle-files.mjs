// @ts-check
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** The parts of the published package that a server needs: the program, and what its licences ask for. */
const PROGRAM =
  /^(bin\/(signalbox|older-node)\.js|bin\/package\.json|dist\/(cli\.cjs|build-.*)|package\.json|LICENSE|THIRD-PARTY-LICENSES)$/;

/** All else is bundled into the program; of this what is loaded, for every platform, and its licence. */
const NATIVE = ["package.json", "LICENSE", "lib", "prebuilds"].map((file) => `better-sqlite3/${file}`);

/**
 * Copies everything that a server needs, but its manifest, from a built package into a new folder.
 *
 * @param {string} root the package's folder, with its dependencies installed
 * @param {string} folder
 */
export function stageBundle(root, folder) {
  const files = [
    ...publishedFiles(root).filter((file) => PROGRAM.test(file)),
    ...NATIVE.map((file) => join("node_modules", file)),
  ];
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file), { recursive: true, dereference: true });
  }
}

/**
 * @param {string} root
 * @returns {string[]}
 */
function publishedFiles(root) {
  const printed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return JSON.parse(printed)[0].files.map((/** @type {{ path: string }} */ { path }) => path);
}
