// @ts-check
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** The parts of the published package that a server needs: the program, and what its licences ask for. */
const PROGRAM = /^(bin\/signalbox\.js|dist\/(cli\.js|build-.*)|package\.json|LICENSE|THIRD-PARTY-LICENSES)$/;

/** All else is bundled into the program; of these the files that are loaded, and their licences. */
const NATIVE = [
  "better-sqlite3/package.json",
  "better-sqlite3/LICENSE",
  "better-sqlite3/lib",
  "better-sqlite3/build/Release/better_sqlite3.node",
  "bindings/package.json",
  "bindings/LICENSE.md",
  "bindings/bindings.js",
  "file-uri-to-path/package.json",
  "file-uri-to-path/LICENSE",
  "file-uri-to-path/index.js",
];

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
