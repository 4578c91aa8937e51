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
 * A project with one task and its open session, in a folder that is removed when this program ends; `temporary` is free for
 * results. `launched` has, for a server of each recipe, its environment, for stdio.
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
  const { session, env: signals } = JSON.parse(await signalbox("launch", "signals", "--task", "1", "--json"));
  // As a human's own client has it.
  const { env: all } = JSON.parse(readFileSync(join(root, ".ralph/mcp/mcp.json"), "utf8")).mcpServers.ralph;
  return { root, temporary, signalbox, session, launched: { signals, all } };
}

/** The token of each recipe at the HTTP server that runs for the project. */
export async function tokensOf({ signalbox, session }) {
  const { token: signals } = JSON.parse(
    await signalbox("launch", "signals", "--session", session, "--transport", "http", "--json"),
  );
  const { content } = JSON.parse(await signalbox("mcp", "--print-config", "claude", "--transport", "http", "--json"));
  const all = JSON.parse(content).mcpServers.ralph.headers.Authorization.replace("Bearer ", "");
  return { signals, all };
}

/** What every process started here is given: not the caller's environment, nor a home that it could write to. */
export function processEnvironment(home) {
  return { PATH: process.env.PATH ?? "", HOME: home };
}
