import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runOrThrow } from "./processes.mjs";

/** This folder, and the program as `npm run build` made it. */
export const folder = fileURLToPath(new URL(".", import.meta.url));
export const program = fileURLToPath(new URL("../../bin/signalbox.js", import.meta.url));

/** The recipes for which everything is run. */
export const recipes = ["signals", "all"];

/**
 * The one place that says what the server is launched with: `project` is what `freshProject` made. All else that the server
 * sees is `processEnvironment`.
 */
export function serverEnvironment(recipe, project) {
  const env = project.launched[recipe];
  if (env === undefined) throw new Error(`No launch is known for the recipe ${recipe}.`);
  return env;
}

/**
 * A project with one task and its open session, in a folder that is removed when this program ends; `launched` has the
 * environment of a server of each recipe, and `temporary` is free for results.
 */
export async function freshProject() {
  const made = mkdtempSync(join(tmpdir(), "signalbox-conformance-"));
  process.once("exit", () => rmSync(made, { recursive: true, force: true }));
  const [root, temporary] = [join(made, "project"), join(made, "temporary")];
  for (const path of [root, temporary]) mkdirSync(path);
  const signalbox = (...args) =>
    runOrThrow(process.execPath, [program, ...args], { cwd: root, env: processEnvironment(temporary) });
  await signalbox("init");
  await signalbox("task", "add", "Export as CSV");
  const { env: signals } = JSON.parse(await signalbox("launch", "signals", "--task", "1", "--json"));
  // As a human's own client has it.
  const { env: all } = JSON.parse(readFileSync(join(root, ".ralph/mcp/mcp.json"), "utf8")).mcpServers.ralph;
  return { root, temporary, launched: { signals, all } };
}

/** What every process started here is given: not the caller's environment, nor a home that it could write to. */
export function processEnvironment(home) {
  return { PATH: process.env.PATH ?? "", HOME: home };
}
