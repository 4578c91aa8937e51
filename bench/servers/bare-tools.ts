// A bare SDK server: nine tools written out as JSON Schema, which do nothing. What a start costs at least.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const tools = Array.from({ length: 9 }, (_, index) => ({
  name: `tool_${index + 1}`,
  title: "Report a problem",
  description: "Report a problem that you found during this task. It does nothing here, in as many words.",
  inputSchema: {
    type: "object" as const,
    properties: {
      what: { type: "string", description: "The problem." },
      severity: { type: "string", enum: ["info", "warning", "blocking"] },
      category: { type: "string", enum: ["bug", "stale", "security", "performance"] },
    },
    required: ["what", "severity", "category"],
    additionalProperties: false,
  },
}));

const server = new Server({ name: "bare", version: "0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
server.setRequestHandler(CallToolRequestSchema, () => ({ content: [{ type: "text", text: "recorded" }] }));
process.stdin.once("end", () => process.exit(0));
await server.connect(new StdioServerTransport());
