import { ENVELOPE } from "./envelope.ts";

/** A request of the versions of MCP up to 2025-11-25, as a line. */
export function requestLine(id: number, name: string, args: object): string {
  return line({ id, method: "tools/call", params: { name, arguments: args } });
}

/** All that a client writes to make one call, whose id is 2, by version of MCP. */
export const CALLS = {
  "2025-06-18": (name: string, args: object) =>
    line({
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "test", version: "1" },
      },
    }) +
    line({ method: "notifications/initialized" }) +
    requestLine(2, name, args),
  "2026-07-28": (name: string, args: object) =>
    line({ id: 2, method: "tools/call", params: { name, arguments: args, _meta: ENVELOPE } }),
} as const;

function line(message: object): string {
  return `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
}
