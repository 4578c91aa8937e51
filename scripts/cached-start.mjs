// @ts-check
// Starts the program: the build puts this file beside the program's chunks, as `cli.js` (docs/decisions/0041).
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire, enableCompileCache } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

/**
 * A chunk of the program that runs.
 *
 * @typedef {{ readonly script: Script, readonly module: { exports: Record<string, unknown> } }} Chunk
 */

/** @type {Map<string, Chunk>} */
const chunks = new Map();

const MAIN = join(dirname(fileURLToPath(import.meta.url)), "main.cjs");

export const main = /** @type {(argv: readonly string[]) => Promise<void>} */ (
  (existsSync(cacheOf(MAIN)) ? load(MAIN) : loadPublished()).main
);

/**
 * Loads the program of a package from npm, which has no compiled code, since only the V8 of the build could use it. Node keeps
 * compiled code itself, in the user's own cache folder.
 */
function loadPublished() {
  const { XDG_CACHE_HOME, HOME, LOCALAPPDATA } = process.env;
  const caches = XDG_CACHE_HOME || (HOME ? join(HOME, ".cache") : LOCALAPPDATA);
  if (caches) enableCompileCache(join(caches, "signalbox"));
  return createRequire(import.meta.url)(MAIN);
}

/** Keeps what V8 has compiled of each chunk until now, for the next start. */
export function keepCode() {
  for (const [path, { script }] of chunks) writeFileSync(cacheOf(path), script.createCachedData());
}

/**
 * Loads a chunk as `require` does, but with what V8 compiled of it when it was built; another version of V8 compiles it anew.
 *
 * @param {string} path
 * @returns {Record<string, unknown>}
 */
function load(path) {
  const known = chunks.get(path);
  if (known) return known.module.exports;
  const source = readFileSync(path, "utf8");
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    // Not its path: that of the build would stand in stack traces wherever the package is.
    filename: `signalbox:${basename(path)}`,
    cachedData: readCache(path),
  });
  const module = { exports: {} };
  chunks.set(path, { script, module });
  const folder = dirname(path);
  const requireOther = createRequire(path);
  /** @param {string} id */
  const require = (id) => (id.startsWith("./") ? load(join(folder, id)) : requireOther(id));
  try {
    script.runInThisContext()(module.exports, require, module, path, folder);
  } catch (error) {
    // As Node does: one that needs a package that is missing fails each time, not only the first.
    chunks.delete(path);
    throw error;
  }
  return module.exports;
}

/** @param {string} path */
function readCache(path) {
  try {
    return readFileSync(cacheOf(path));
  } catch {
    return undefined;
  }
}

/** @param {string} path */
function cacheOf(path) {
  return `${path}.cache`;
}
