import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run, runOrThrow } from "./processes.mjs";
import { folder, processEnvironment } from "./project.mjs";

const suite = `${folder}node_modules/@modelcontextprotocol/conformance/dist/index.js`;

/** The names of all scenarios that the suite has for servers. */
export async function scenarioNames(temporary) {
  const env = processEnvironment(temporary);
  const printed = await runOrThrow(process.execPath, [suite, "list", "--server"], { env });
  return [...printed.matchAll(/^ {2}- (\S+)$/gm)].map(([, name]) => name);
}

/**
 * Runs one scenario against the server at `url` and returns its checks: each has an `id`, a `status` (SUCCESS, FAILURE,
 * WARNING, INFO) and, if it failed, an `errorMessage`.
 *
 * @throws if the suite came to no result
 */
export async function runScenario(name, url, temporary) {
  const results = mkdtempSync(join(temporary, "results-"));
  const args = [suite, "server", "--url", url, "--scenario", name, "--output-dir", results];
  const { code, stdout, stderr } = await run(process.execPath, args, { env: processEnvironment(temporary) });
  const [result] = readdirSync(results);
  if (result === undefined) throw new Error(`${name} came to no result (exit ${code}).\n${stderr}${stdout}`);
  return JSON.parse(readFileSync(join(results, result, "checks.json"), "utf8"));
}
