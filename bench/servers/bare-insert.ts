// A bare SDK server: one tool, which inserts its arguments, durably unless BENCH_SYNCHRONOUS is OFF. What a verb over
// stdio costs at least.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { openBareTable } from "../lib/bare.ts";

const table = openBareTable(
  process.env.BENCH_DB_PATH ?? "",
  process.env.BENCH_SYNCHRONOUS === "OFF" ? "OFF" : "FULL",
);
const server = new Server({ name: "bare", version: "0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [
    {
      name: "flag",
      description: "Report a problem that you found during this task.",
      inputSchema: {
        type: "object",
        properties: { what: { type: "string" }, severity: { type: "string" }, category: { type: "string" } },
        required: ["what", "severity", "category"],
      },
    },
  ],
}));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
  table.insert(JSON.stringify(params.arguments));
  return { content: [{ type: "text", text: "recorded" }] };
});
process.stdin.once("end", () => process.exit(0));
await server.connect(new StdioServerTransport());
