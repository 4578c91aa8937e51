// What clients' own tools say of our server: `npm run conformance`. The MCP conformance suite, over HTTP in both eras, and the
// inspector, over stdio, are run against it for every recipe; anything but what expected.json says is a failure.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { differences, listDifferences } from "./compare.mjs";
import { inspect } from "./inspector.mjs";
import { startHttpServer, withToken } from "./http-server.mjs";
import { folder, freshProject, recipes, tokensOf } from "./project.mjs";
import { runScenario, scenarioNames } from "./suite.mjs";

// What was begun ends by way of "exit", whatever ends this program.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));
installOnce();
const expected = JSON.parse(readFileSync(`${folder}expected.json`, "utf8"));
const project = await freshProject();
const server = await startHttpServer(project.root, project.temporary);

let wrong = 0;
try {
  const tokens = await tokensOf(project);
  await Promise.all(Object.keys(expected).map((version) => runVersion(version, tokens)));
} finally {
  await server.stop();
}
for (const recipe of recipes)
  tell(`${recipe}: inspector, tools/list --strict`, await inspect(project.launched[recipe], project.temporary));
console.log(wrong === 0 ? "As expected." : `${wrong} not as test/conformance/expected.json and its README say.`);
process.exitCode = wrong === 0 ? 0 : 1;

/** Every scenario of a version of MCP, for every recipe. */
async function runVersion(version, tokens) {
  const { scenarios, notRun } = expected[version];
  const names = await scenarioNames(version, project.temporary);
  tell(`${version}: every scenario is run or not run`, listDifferences(names, { scenarios, notRun }));
  for (const recipe of recipes) {
    const proxy = await withToken(server.url, tokens[recipe]);
    for (const [name, of] of Object.entries(scenarios)) {
      const checks = await runScenario(name, version, proxy.url, project.temporary);
      const because = of === "passes" ? "" : ` (fails: ${of.because})`;
      tell(`${version}, ${recipe}: ${name}${because}`, differences(of, checks));
    }
    proxy.stop();
  }
}

/** Installs what is pinned here, unless it is there. The optional packages are native parts of the inspector's web page. */
function installOnce() {
  const { dependencies } = JSON.parse(readFileSync(`${folder}package.json`, "utf8"));
  if (Object.entries(dependencies).every(([name, version]) => versionOf(name) === version)) return;
  const { status } = spawnSync(
    "npm",
    ["ci", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund", "--loglevel=error"],
    { cwd: folder, stdio: "inherit" },
  );
  if (status !== 0) process.exit(1);
}

function versionOf(name) {
  const path = `${folder}node_modules/${name}/package.json`;
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).version : undefined;
}

/** A line for what was looked at, and one for each difference. */
function tell(title, different) {
  console.log(`${different.length === 0 ? "✓" : "✗"} ${title}`);
  for (const difference of different) console.log(`    ${difference}`);
  if (different.length > 0) wrong += 1;
}
