import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inputsDigest } from "../../scripts/inputs-digest.mjs";
import { packagePath } from "../../src/lib/package-root.ts";

/** Vitest calls it before the first test that starts the program. */
export default function refuseStaleBuild(): void {
  checkBuild(packagePath(""));
}

/** @param root the package's folder @throws if its `dist/` was not built from its present sources: what to do */
export function checkBuild(root: string): void {
  if (builtFrom(root) === inputsDigest(root)) return;
  throw new Error("dist/ was not built from the present sources. Run `npm run build`, then the tests again.");
}

/** The digest of the sources of the present build; undefined without a build. */
function builtFrom(root: string): unknown {
  try {
    return JSON.parse(readFileSync(join(root, "dist/build.json"), "utf8")).inputs;
  } catch {
    return undefined;
  }
}
