import { readFileSync } from "node:fs";
import { inputsDigest } from "../../scripts/inputs-digest.mjs";
import { packagePath } from "../../src/package-root.ts";

/** Stops a run of tests that start the program where `dist/` was not built from the present sources. @throws what to do */
export default function refuseOldBuild(): void {
  if (builtFrom() === inputsDigest()) return;
  throw new Error("dist/ was not built from the present sources. Run `npm run build`, then the tests again.");
}

/** The digest of the sources of the present build; undefined without a build. */
function builtFrom(): unknown {
  try {
    return JSON.parse(readFileSync(packagePath("dist/build.json"), "utf8")).inputs;
  } catch {
    return undefined;
  }
}
