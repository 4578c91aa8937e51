// @ts-check
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Has V8 compile what a server and the commonest commands need, and keeps it beside the chunks: a start then compiles next to
 * nothing. They run in one process, since what is kept of a chunk is what one process has compiled of it.
 *
 * @param {string} program the folder of a built program
 */
export function keepCompiledCode(program) {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-build-"));
  try {
    // The start then takes the chunks as those of a build, whose compiled code is kept.
    writeFileSync(join(program, "main.cjs.cache"), "");
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", SCRIPT], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        BUILT: pathToFileURL(join(program, "cli.js")).href,
        RALPH_DB_PATH: join(folder, ".ralph", "db", "ralph.db"),
        RALPH_TASK_ID: "1",
        RALPH_SESSION_ID: "s-1",
      },
      input: REQUESTS.map((request) => `${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`).join(""),
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`What was built does not run:\n${stderr}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The server ends with its input. */
const SCRIPT = `
const { main, keepCode } = await import(process.env.BUILT);
process.on("exit", keepCode);
const commands = ["init", "task add Compiled", "task list", "session start 1 --session s-1", "next", "status", "inbox"];
for (const command of commands) await main(["node", "signalbox", ...command.split(" ")]);
await main(["node", "signalbox", "mcp"]);
`;

/** What a request of MCP 2026-07-28 says about itself. */
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Of both eras of MCP. */
const REQUESTS = [
  { id: "a", method: "server/discover", params: { _meta: ENVELOPE } },
  { id: "b", method: "tools/list", params: { _meta: ENVELOPE } },
  {
    id: 0,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "build", version: "1" },
    },
  },
  { method: "notifications/initialized" },
  { id: 1, method: "tools/list", params: {} },
  {
    id: 2,
    method: "tools/call",
    params: { name: "flag", arguments: { what: "Compiled.", severity: "info", category: "bug" } },
  },
];
