// What clients' own tools say of our server: `npm run conformance`. The MCP conformance suite, by way of mcp-proxy, and the
// inspector are run against it for every recipe; anything but what expected.json says is a failure.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { differences, listDifferences } from "./compare.mjs";
import { inspect } from "./inspector.mjs";
import { folder, freshProject, recipes, serverEnvironment } from "./project.mjs";
import { startProxy } from "./proxy.mjs";
import { runScenario, scenarioNames } from "./suite.mjs";

// What was begun ends by way of "exit", whatever ends this program.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));
installOnce();
const { scenarios, notRun } = JSON.parse(readFileSync(`${folder}expected.json`, "utf8"));
const project = await freshProject();

let wrong = tell("every scenario is run or not run", listDifferences(await scenarioNames(project.temporary), { scenarios, notRun }));
for (const recipe of recipes) {
  const env = serverEnvironment(recipe, project);
  const proxy = await startProxy(env, project.temporary);
  try {
    for (const [name, expected] of Object.entries(scenarios)) {
      const checks = await runScenario(name, proxy.url, project.temporary);
      const title = `${recipe}: ${name}${expected === "passes" ? "" : ` (fails: ${expected.because})`}`;
      wrong += tell(title, differences(expected, checks));
    }
  } finally {
    await proxy.stop();
  }
  wrong += tell(`${recipe}: inspector, tools/list --strict`, await inspect(env, project.temporary));
}
console.log(wrong === 0 ? "As expected." : `${wrong} not as test/conformance/expected.json and its README say.`);
process.exitCode = wrong === 0 ? 0 : 1;

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

/** A line for what was looked at, and one for each difference. Returns 1 if there is any. */
function tell(title, different) {
  console.log(`${different.length === 0 ? "✓" : "✗"} ${title}`);
  for (const difference of different) console.log(`    ${difference}`);
  return different.length === 0 ? 0 : 1;
}
