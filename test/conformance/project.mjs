import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runOrThrow } from "./processes.mjs";

/** This folder, and the program as `npm run build` made it. */
export const folder = fileURLToPath(new URL(".", import.meta.url));
export const program = fileURLToPath(new URL("../../bin/signalbox.js", import.meta.url));

/** The recipes for which everything is run. */
export const recipes = ["signals"];

/**
 * The one place that says what the server is launched with: `project` is what `freshProject` made, of which the session's
 * variables are as `signalbox session start --json` printed them. All else that the server sees is `processEnvironment`.
 */
export function serverEnvironment(recipe, project) {
  if (recipe !== "signals") throw new Error(`No launch is known for the recipe ${recipe}.`);
  return project.session;
}

/**
 * A project with one task and its open session, in a folder that is removed when this program ends; `temporary` in it is free
 * for results.
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
  const { env } = JSON.parse(await signalbox("session", "start", "1", "--json"));
  return { root, temporary, session: env };
}

/** What every process started here is given: not the caller's environment, nor a home that it could write to. */
export function processEnvironment(home) {
  return { PATH: process.env.PATH ?? "", HOME: home };
}
