import { execFileSync } from "node:child_process";
import { packagePath } from "../../src/lib/package-root.ts";

/** The paths of the files that the npm package has. */
export function packedFiles(): readonly string[] {
  const packed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: packagePath("."),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
}
