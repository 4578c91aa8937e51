import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { Refusal } from "../decisions/refusal.ts";
import type { Reporter } from "../decisions/reports.ts";
import type { Store } from "../decisions/store.ts";
import { idFromKey } from "../events/ids.ts";
import { LogError } from "../events/log-error.ts";
import { ReadModelError } from "../projections/read-model-error.ts";
import { version } from "../version.ts";
import { checkArguments } from "./arguments.ts";
import { listTool } from "./listing.ts";
import { signalTools } from "./signal-tools.ts";
import { stateTool } from "./state-tool.ts";
import { ToolRefusal } from "./tool.ts";

export interface ServerOptions {
  readonly reporter: Reporter;
  /** Opens the project, the first time that it is needed: starting up touches neither log nor read model. */
  readonly open: () => Promise<Store>;
  /** Called when the client has initialized the session. */
  readonly onInitialized?: () => void;
}

/**
 * The MCP server `ralph`: the eight verbs and `update_session_state`, for one session of one task. Calls are worked on
 * one after the other, in the order in which they came, so that the log has them as the agent made them.
 */
export function createServer({ reporter, open, onInitialized }: ServerOptions): AgentServer {
  const tools = [...signalTools(open, reporter), stateTool(open, reporter)];
  const server = new Server({ name: "ralph", version }, { capabilities: { tools: {} } });
  if (onInitialized) server.oninitialized = onInitialized;
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(listTool) }));
  let lastCall: Promise<unknown> = Promise.resolve();
  server.setRequestHandler(anyToolCall, (request) => {
    const params = callParams.parse(request.params);
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) {
      const names = tools.map(({ name }) => name).join(", ");
      throw new McpError(
        ErrorCode.InvalidParams,
        `Unknown tool ${params.name.slice(0, 100)}; there are ${names}`,
      );
    }
    const answer = lastCall.then(() =>
      answered(async () => {
        const args = checkArguments(tool, params.arguments, tools);
        return tool.run(args, await eventIdOf(params._meta, reporter, open));
      }),
    );
    lastCall = answer.catch(() => {});
    return answer;
  });
  return { server, settled: () => lastCall };
}

/** The SDK answers a call of another shape with -32603, as if the server had failed; past this it says -32602. */
const anyToolCall = z.looseObject({ method: z.literal("tools/call"), params: z.unknown().optional() });

/** The SDK has checked the rest; its own schema would drop a field named __proto__ unseen. */
const callParams = z.looseObject({
  name: z.string(),
  arguments: z.unknown(),
  _meta: z.looseObject({}).optional(),
});

export interface AgentServer {
  readonly server: Server;
  /** Resolves when every call that has come so far is answered. */
  settled(): Promise<unknown>;
}

async function answered(run: () => Promise<Record<string, unknown>>): Promise<CallToolResult> {
  try {
    const answer = await run();
    // Where structured content is there, the model sees nothing else: the text says the same.
    return { content: [{ type: "text", text: JSON.stringify(answer) }], structuredContent: answer };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const text =
      error instanceof LogError && error.code === "id_conflict"
        ? "Nothing was recorded: an earlier call with the same id had other arguments. Make a new call of it."
        : error.message;
    return { content: [{ type: "text", text }], isError: true };
  }
}

/** Errors whose message is meant for the agent; anything else is a fault of the server. */
function isRefusal(error: unknown): error is Error {
  return (
    error instanceof ToolRefusal ||
    error instanceof Refusal ||
    error instanceof LogError ||
    error instanceof ReadModelError
  );
}

/** Claude Code names each use of a tool: with the session that is the event's id, so a call sent again is known. */
async function eventIdOf(
  meta: Readonly<Record<string, unknown>> | undefined,
  { session }: Reporter,
  open: () => Promise<Store>,
): Promise<string> {
  const use = meta?.["claudecode/toolUseId"];
  return typeof use === "string" && use !== "" ? idFromKey(session, use) : (await open()).environment.newId();
}
