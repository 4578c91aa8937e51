import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/* work <script.sh> <mcp.json>: an agent that does what a shell's script says, and reports `done`. */
const [script = "", mcpConfig = ""] = process.argv.slice(2);
execFileSync("/bin/sh", [script], { stdio: "inherit" });
const { url } = JSON.parse(readFileSync(mcpConfig, "utf8")).mcpServers.ralph;
const client = new Client({ name: "work", version: "1" });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
await client.callTool({ name: "done", arguments: { summary: "Did the work." } });
await client.close();
process.exit(0);
