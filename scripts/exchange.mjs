// @ts-check
import { createHash, randomUUID } from "node:crypto";
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { setTimeout } from "node:timers/promises";
import { removeOldBuilds } from "./old-builds.mjs";

/**
 * Makes a finished build the one that starts, while others start, run and build:
 *
 * - The program has a folder of its own in `dist/`, named after its content and never changed: a running server goes
 *   on loading its own files. `dist/cli.cjs` leads to the current one.
 * - Each file beside the folders is replaced by a rename: whoever reads it gets the old one or the new one, whole.
 * - `build.json` is replaced last: where it names the present sources, all of their build is there.
 * - Of builds that end at the same moment, the last to write sees to it that all files are of one build.
 *
 * @param {string} staging what was built: `library/`, whose files go to `dist/`; `program/`; `THIRD-PARTY-LICENSES`, which goes
 *   beside `dist/`
 * @param {string} dist
 * @param {string} inputs the digest of what it was built from
 */
export async function exchange(staging, dist, inputs) {
  const folder = placeProgram(join(staging, "program"), dist);
  // A process may be starting from the build that is replaced now: its time to stay begins.
  if (existsSync(join(dist, "build.json"))) touch(join(dist, currentFolder(dist)));
  const entries = new Map([["cli.cjs", cliEntry(folder)]]);
  const library = join(staging, "library");
  for (const name of readdirSync(library)) entries.set(name, readFileSync(join(library, name), "utf8"));
  const last = "build.json";
  entries.set(".npmignore", npmIgnore([folder, ...entries.keys(), last]));
  const licences = readFileSync(join(staging, LICENCES), "utf8");
  const all = new Map([
    ...entries,
    [`../${LICENCES}`, licences],
    [last, `${JSON.stringify({ folder, inputs })}\n`],
  ]);
  while (![...all].every(([name, content]) => has(join(dist, name), content))) {
    for (const [name, content] of all) replace(join(dist, name), content);
    // Another build that ends now would write and look in step with this one.
    await setTimeout(Math.random() * 100);
  }
  removeOldBuilds(dist, new Set([folder, ...entries.keys(), last]));
}

const LICENCES = "THIRD-PARTY-LICENSES";

/**
 * @param {string} program
 * @param {string} dist
 */
function placeProgram(program, dist) {
  const name = `build-${digestOf(program)}`;
  const place = join(dist, name);
  if (existsSync(place) && `build-${digestOf(place)}` !== name) rmSync(place, { recursive: true });
  try {
    renameSync(program, place);
  } catch (error) {
    // The same was built before, or at the same time.
    if (!existsSync(join(place, "start.cjs"))) throw error;
  }
  touch(place);
  return name;
}

/**
 * Whether `dist/` has a whole build of these inputs: `build.json` is written last, so what it leads to was written before. Not
 * seen is what somebody changed since in a file of the library.
 *
 * @param {string} dist
 * @param {string} inputs the digest of what it would be built from
 */
export function isBuilt(dist, inputs) {
  const list = join(dist, ".npmignore");
  const packed = existsSync(list) ? readFileSync(list, "utf8").split("\n").flatMap(packedName) : [];
  if (![...packed, "build.json", `../${LICENCES}`].every((name) => existsSync(join(dist, name))))
    return false;
  const build = JSON.parse(readFileSync(join(dist, "build.json"), "utf8"));
  return (
    build.inputs === inputs &&
    `build-${digestOf(join(dist, build.folder))}` === build.folder &&
    packed.includes(build.folder)
  );
}

/** @param {string} line a line of what `npmIgnore` wrote */
const packedName = (line) => (line.startsWith("!/") ? [line.slice(2)] : []);

/** @param {string} folder */
function digestOf(folder) {
  const hash = createHash("sha256");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    // What V8 compiled differs each time, and follows from the rest.
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".cache"))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
  for (const file of files) {
    const content = readFileSync(join(folder, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex").slice(0, 12);
}

/** @param {string} path */
function touch(path) {
  const now = new Date();
  if (existsSync(path)) utimesSync(path, now, now);
}

/** @param {string} dist */
const currentFolder = (dist) => JSON.parse(readFileSync(join(dist, "build.json"), "utf8")).folder;

/** @param {string} folder */
const cliEntry = (folder) => `"use strict";
module.exports = require("./${folder}/start.cjs");
// As long as a process has the folder open, no build removes it (scripts/old-builds.mjs).
require("node:fs").openSync(require("node:path").join(__dirname, "${folder}"));
`;

/**
 * Older builds are not part of the package.
 *
 * @param {readonly string[]} names
 */
const npmIgnore = (names) => ["/*", ...names.map((name) => `!/${name}`), ""].join("\n");

/**
 * @param {string} path
 * @param {string} content
 */
const has = (path, content) => existsSync(path) && readFileSync(path, "utf8") === content;

/**
 * @param {string} path
 * @param {string} content
 */
function replace(path, content) {
  const written = `${path}.${randomUUID()}`;
  writeFileSync(written, content);
  renameSync(written, path);
}
