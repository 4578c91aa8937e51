// @ts-check
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * A digest of every file that a build reads: the sources, the configuration, the scripts, the versions of the
 * dependencies. `dist/build.json` has the one of its build as `inputs`; if they differ, `dist/` is stale.
 *
 * @param {string} [root] the package's folder
 * @returns {string} SHA-256 in hex
 */
export function inputsDigest(root = fileURLToPath(new URL("../", import.meta.url))) {
  const hash = createHash("sha256");
  for (const file of inputFiles(root)) {
    const content = readFileSync(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** @param {string} root */
function inputFiles(root) {
  const atTop = readdirSync(root).filter((name) =>
    /^(package(-lock)?|tsconfig)\.json$|\.config\.ts$/.test(name),
  );
  const below = ["adapters", "scripts", "src"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  );
  return [...atTop, ...below].sort();
}
