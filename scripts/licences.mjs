// @ts-check
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Names, versions and licences of the packages whose code is in these chunks.
 *
 * @param {readonly Chunk[]} chunks what bundlers made
 * @returns {string} the content of THIRD-PARTY-LICENSES
 * @throws Error if a package has no licence text, or the origin of a module is not known
 *
 * @typedef {{ readonly modules: Readonly<Record<string, { readonly renderedLength: number }>> }} Chunk
 * what rolldown and Vite tell of a chunk
 */
export function licencesOf(chunks) {
  const ids = chunks.flatMap(({ modules }) =>
    // A style sheet is a module of no length: its text is in an asset.
    Object.keys(modules).filter((id) => (modules[id]?.renderedLength ?? 0) > 0 || /\.css\b/.test(id)),
  );
  const folders = new Set(ids.flatMap(packageOf));
  const sections = new Set([...folders].map(sectionOf));
  return [INTRODUCTION, ...[...sections].sort()].join(`\n${"=".repeat(80)}\n\n`);
}

const INTRODUCTION =
  "signalbox is distributed with code of the packages below, each under the licence that follows its name.\n";

/** Virtual modules: code of the bundler, and our own of vite.config.ts and tsdown.config.ts. */
const VIRTUAL = new Map([
  ["\0rolldown/runtime.js", [fileURLToPath(new URL("../node_modules/rolldown", import.meta.url))]],
  ["\0vite/preload-helper.js", []],
  ["\0lazy-string-width", []],
]);

/**
 * The folder of the package that a module is from; none for a module of ours.
 *
 * @param {string} id
 */
function packageOf(id) {
  const virtual = VIRTUAL.get(id);
  if (virtual !== undefined) return virtual;
  if (id.startsWith("\0"))
    throw new Error(`Whose code is ${JSON.stringify(id)}? Say so in scripts/licences.mjs.`);
  // Greedily: of packages within packages the innermost. A folder within one may have a package.json that is none.
  const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0];
  return folder === undefined ? [] : [folder];
}

/** Licences that ask for no copy of their text. */
const PUBLIC_DOMAIN = new Set(["0BSD", "CC0-1.0", "Unlicense"]);

/** @param {string} folder */
function sectionOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)([.-]|$)/i.test(file));
  if (!PUBLIC_DOMAIN.has(license) && !files.some((file) => !/^notice/i.test(file))) {
    throw new Error(`${name}@${version} (${license}) is bundled, but ${folder} has no licence text.`);
  }
  const texts = files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim());
  return `${[`${name}@${version} (${license})`, ...texts].join("\n\n")}\n`;
}
