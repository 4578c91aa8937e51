import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

/** True for what one line can be (JSON-RPC 2.0; MCP has no batches, and no null as id). */
export function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isObject(value) || value.jsonrpc !== "2.0") return false;
  if (!Object.keys(value).every((key) => MEMBERS.has(key))) return false;
  if ("method" in value) {
    const { method, params } = value;
    if (typeof method !== "string" || (params !== undefined && !isObject(params))) return false;
    return !("id" in value) || isId(value.id);
  }
  if ("result" in value) return isId(value.id) && isObject(value.result);
  return (
    isObject(value.error) && typeof value.error.message === "string" && Number.isInteger(value.error.code)
  );
}

const MEMBERS: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params", "result", "error"]);

/** The id to which an answer to a value goes: null if it has none that can be read (JSON-RPC 2.0, 5). */
export function idOf(value: unknown): string | number | null {
  const id = isObject(value) ? value.id : undefined;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** A response is never answered. */
export function isResponse(value: unknown): boolean {
  return isObject(value) && !("method" in value) && ("result" in value || "error" in value);
}

/** The error of a line that is no message of MCP. */
export const NO_REQUEST = "A line is not a JSON-RPC 2.0 request as defined by MCP. Nothing was recorded.";
/** The same of a body over HTTP. */
export const NO_MESSAGE =
  "The request body is not one JSON-RPC 2.0 message as defined by MCP. Nothing was recorded.";

function isId(value: unknown): boolean {
  return typeof value === "string" || Number.isInteger(value);
}

/** True for a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
