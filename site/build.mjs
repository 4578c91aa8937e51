// Builds the docs' site: copies the pages, makes those of the API's reference from its docstrings, and lets VitePress make the site. `npm run docs` at the root.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
if (!existsSync(`${here}node_modules`)) npm("ci", "--no-audit", "--no-fund");
rmSync(`${here}pages`, { recursive: true, force: true });
for (const page of ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "docs", "test/promises.md", "test/survival/README.md", "examples/fleet/README.md", "examples/overnight/README.md"]) {
  cpSync(`${here}../${page}`, `${here}pages/${page}`, { recursive: true });
}
npm("exec", "typedoc");
npm("exec", "vitepress", "build", ".");

function npm(...args) {
  execFileSync("npm", args, { cwd: here, stdio: "inherit" });
}
