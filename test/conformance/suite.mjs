import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run, runOrThrow } from "./processes.mjs";
import { folder, processEnvironment } from "./project.mjs";

/** Its command line, once it is installed. */
const suite = () => [
  process.execPath,
  `${folder}node_modules/@modelcontextprotocol/conformance/dist/index.js`,
];

/** The names of all scenarios that the suite has for servers in a version of MCP. */
export async function scenarioNames(version, temporary) {
  const [command, ...args] = [...suite(), "list", "--server", "--spec-version", version];
  const printed = await runOrThrow(command, args, { env: processEnvironment(temporary) });
  return [...printed.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name);
}

/**
 * Runs one scenario in a version of MCP against the server at `url` and returns its checks: each has an `id`, a `status`
 * (SUCCESS, FAILURE, WARNING, INFO) and, if it failed, an `errorMessage`.
 *
 * @throws if the suite came to no result
 */
export async function runScenario(name, version, url, temporary) {
  const results = mkdtempSync(join(temporary, "results-"));
  const args = ["server", "--url", url, "--scenario", name, "--spec-version", version, "--output-dir", results];
  const [command, ...first] = suite();
  const { code, stdout, stderr } = await run(command, [...first, ...args], { env: processEnvironment(temporary) });
  const [result] = readdirSync(results);
  if (result === undefined) throw new Error(`${name} came to no result (exit ${code}).\n${stderr}${stdout}`);
  return JSON.parse(readFileSync(join(results, result, "checks.json"), "utf8"));
}
