import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { type CallToolResult, ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { stateVariables } from "../config/state-folder.ts";
import type { Store } from "../decisions/store.ts";
import { REPLAY_VARIABLE } from "../decisions/system-environment.ts";
import { packagePath } from "../lib/package-root.ts";
import { signalsContext } from "../mcp/context.ts";
import { createServer } from "../mcp/server.ts";
import { sessionVariables } from "../mcp/session-variables.ts";

/** The agent of a replay: calls tools by the recorded steps. */
export interface Agent {
  call(tool: string, args: Record<string, unknown>, toolUseId: string): Promise<Answer>;
  close(): Promise<void>;
}

interface Answer {
  readonly accepted: boolean;
  readonly text: string;
  /** The position of the event, for verbs. */
  readonly position: number | undefined;
}

export type ConnectAgent = (session: string, task: number) => Promise<Agent>;

/** Agents that each talk to a real server process over stdio, as a driver would launch it. */
export function processAgents(databasePath: string, replayFile: string): ConnectAgent {
  return async (session, task) => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [packagePath("bin/signalbox.js"), "mcp"],
      env: {
        ...sessionVariables(task, session, databasePath),
        [REPLAY_VARIABLE]: replayFile,
        ...stateVariables(process.env),
      },
      stderr: "inherit",
    });
    return connect(transport);
  };
}

/** Agents that talk to the server inside this process. */
export function inProcessAgents(store: Store): ConnectAgent {
  return async (session, task) => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await createServer({ context: signalsContext(session, task), open: async () => store }).connect(theirs);
    return connect(ours);
  };
}

async function connect(transport: StdioClientTransport | InMemoryTransport): Promise<Agent> {
  const client = new Client({ name: "signalbox-replay", version: "1" });
  await client.connect(transport);
  return {
    async call(tool, args, toolUseId) {
      const _meta = { "claudecode/toolUseId": toolUseId };
      const result = await client.callTool({ name: tool, arguments: args, _meta }).catch(refusalOf);
      const content = Array.isArray(result.content) ? result.content : [];
      const structured: unknown = result.structuredContent;
      return {
        accepted: result.isError !== true,
        text: String(content[0]?.text ?? ""),
        position: positionIn(structured),
      };
    },
    close: () => client.close(),
  };
}

/**
 * A call that the protocol refuses, such as of a tool that the session lacks. @throws any other
 * error
 */
function refusalOf(error: unknown): CallToolResult {
  if (!(error instanceof McpError) || error.code !== ErrorCode.InvalidParams) throw error;
  const text = error.message.replace(/^(?:MCP error -?\d+: )+/, "");
  return { content: [{ type: "text", text }], isError: true };
}

function positionIn(answer: unknown): number | undefined {
  if (typeof answer !== "object" || answer === null || !("position" in answer)) return undefined;
  return typeof answer.position === "number" ? answer.position : undefined;
}
