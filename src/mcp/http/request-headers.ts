import type { JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import { versionNamed } from "../eras/envelope.ts";

/** MCP 2026-07-28, Streamable HTTP: a request's headers say what its body says, for whatever lies between. */
export const HEADER_MISMATCH = -32_020;
export const VERSION_HEADER = "mcp-protocol-version";

/** In what a request's headers differ from its body; undefined if they agree. */
export function headerFault({ method, params }: JSONRPCRequest, headers: Headers): string | undefined {
  return (
    differs(headers, VERSION_HEADER, "params._meta", versionNamed(params)) ??
    differs(headers, "mcp-method", "method", method) ??
    nameFault(method, params, headers)
  );
}

function nameFault(method: string, params: unknown, headers: Headers): string | undefined {
  const field = NAMED_BY[method];
  const named = field && (params as Readonly<Record<string, unknown>> | undefined)?.[field];
  return typeof named === "string" ? differs(headers, "mcp-name", `params.${field}`, named) : undefined;
}

const NAMED_BY: Readonly<Record<string, string>> = { "tools/call": "name", "resources/read": "uri" };

function differs(
  headers: Headers,
  name: string,
  field: string,
  said: string | undefined,
): string | undefined {
  const header = headers.get(name);
  if (header === null)
    return `The header ${name} is missing. It must be ${quoted(said)}, as ${field} says. Nothing was recorded.`;
  if (decoded(header) === said) return undefined;
  return `The header ${name} is ${quoted(header)}, and ${field} says ${quoted(said)}. Both must be the same. Nothing was recorded.`;
}

/** What a header cannot hold as it is, it holds as `=?base64?…?=`. */
function decoded(header: string): string {
  const [, encoded] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(header) ?? [];
  return encoded === undefined ? header : Buffer.from(encoded, "base64").toString();
}

function quoted(text: string | undefined): string {
  return JSON.stringify(text?.slice(0, 100) ?? null);
}
