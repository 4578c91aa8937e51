import { isObject } from "../../src/mcp/json-rpc.ts";
import type { Answer } from "./agent-server.ts";
import type { Sent } from "./generated-requests.ts";

/** What came of a message that was posted: what the server sent back, and its status. */
export interface Posted {
  readonly status: number;
  readonly answers: readonly Answer[];
}

const VERSION = "io.modelcontextprotocol/protocolVersion";

/** A client of both eras at a server over HTTP, with one MCP session for the older one. */
export async function connectHttp(url: string, token: string) {
  const common = {
    Authorization: `Bearer ${token}`,
    Accept: "application/json, text/event-stream",
    "Content-Type": "application/json",
  };
  const hello = {
    jsonrpc: "2.0",
    id: "hello",
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  };
  const begun = await fetch(url, { method: "POST", headers: common, body: JSON.stringify(hello) });
  await begun.text();
  const session = begun.headers.get("mcp-session-id") ?? "";
  return {
    /** Posts a message as its client would. Whoever aborts it leaves: what has come by then is what came. */
    async post(message: Sent, signal: AbortSignal): Promise<Posted> {
      const headers = { ...common, ...ownHeaders(message, session) };
      const answers: Answer[] = [];
      let status = 0;
      try {
        const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(message), signal });
        status = response.status;
        let text = "";
        for await (const chunk of response.body ?? []) text += new TextDecoder().decode(chunk);
        answers.push(...messagesIn(text));
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      return { status, answers };
    },
  };
}

/** The headers of MCP that a message needs. */
function ownHeaders({ method, params }: Sent, session: string): Record<string, string> {
  const fields = isObject(params) ? params : {};
  const version = isObject(fields._meta) ? fields._meta[VERSION] : undefined;
  if (typeof version !== "string")
    return method === "initialize" ? {} : { "Mcp-Session-Id": session, "MCP-Protocol-Version": "2025-11-25" };
  const named = method === "tools/call" ? fields.name : method === "resources/read" ? fields.uri : undefined;
  return {
    "MCP-Protocol-Version": inHeader(version),
    ...(typeof method === "string" && { "Mcp-Method": inHeader(method) }),
    ...(typeof named === "string" && { "Mcp-Name": inHeader(named) }),
  };
}

/** As a header holds any text (MCP 2026-07-28, Streamable HTTP). */
function inHeader(text: string): string {
  return /^[!-~]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

/** Of a JSON body, or of a stream of events. */
function messagesIn(text: string): Answer[] {
  if (text === "") return [];
  if (text.startsWith("{")) return [JSON.parse(text)];
  return text.split("\n").flatMap((line) => {
    const data = line.startsWith("data:") ? line.slice(5).trim() : "";
    return data === "" ? [] : [JSON.parse(data)];
  });
}
