// The same of the SDK's second generation, which serves both eras of MCP.
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { tools } from "./tools.ts";

process.stdin.once("end", () => process.exit(0));
serveStdio(() => {
  const server = new Server({ name: "bare", version: "0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools }));
  server.setRequestHandler("tools/call", () => ({ content: [{ type: "text", text: "recorded" }] }));
  return server;
});
