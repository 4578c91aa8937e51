// Starts an MCP server on stdio, calls one tool, prints its text: `node call-tool.mjs SERVER.cjs TOOL JSON`. Exit code 1 where the tool says error.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [server = "", name, json = "{}"] = process.argv.slice(2);
const child = spawn(process.execPath, [server], { stdio: ["pipe", "pipe", "ignore"] });
const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const clientInfo = { name: "torture", version: "1" };
send({ id: 0, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
for await (const line of createInterface(child.stdout)) {
  const { id, result, error } = JSON.parse(line);
  if (id === 0) {
    send({ method: "notifications/initialized" });
    send({ id: 1, method: "tools/call", params: { name, arguments: JSON.parse(json) } });
  } else if (id === 1) {
    console.log(error ? JSON.stringify(error) : result.content.map(({ text }) => text).join("\n"));
    process.exitCode = error || result.isError ? 1 : 0;
    child.stdin.end();
    child.kill();
  }
}
