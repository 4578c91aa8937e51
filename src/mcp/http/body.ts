import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { idOf, isMessage, NO_MESSAGE } from "../json-rpc.ts";
import { MESSAGE_LIMIT_BYTES } from "../message-limit.ts";
import { PARSE_ERROR } from "../request-error.ts";
import { refuse } from "./refuse.ts";

/** The message in a request's body, or the refusal of it. */
export async function messageIn(request: Request): Promise<JSONRPCMessage | Response> {
  const fault = mediaFault(request.headers);
  if (fault) return fault;
  const body = await readBody(request);
  if (body === undefined)
    return refuse(
      413,
      `The request body is larger than ${MESSAGE_LIMIT_BYTES} bytes and was not read. Nothing was recorded.`,
    );
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(body));
  } catch {
    return refuse(400, "The request body is not JSON in UTF-8. Nothing was recorded.", { code: PARSE_ERROR });
  }
  if (isMessage(value)) return value;
  return refuse(400, NO_MESSAGE, { id: idOf(value) });
}

/** MCP, Streamable HTTP: a client sends JSON, and reads JSON and streams of events. */
function mediaFault(headers: Headers): Response | undefined {
  // Pages of other sites cannot send this type without asking first.
  if (typeOf(headers.get("content-type") ?? "") !== "application/json")
    return refuse(415, "Send the request body as application/json. Nothing was recorded.");
  const accepted = (headers.get("accept") ?? "").split(",").map(typeOf);
  if (["application/json", "text/event-stream"].every((type) => accepted.includes(type))) return undefined;
  return refuse(406, "Send `Accept: application/json, text/event-stream`. Nothing was recorded.");
}

function typeOf(header: string): string | undefined {
  return header.split(";")[0]?.trim().toLowerCase();
}

/** @returns undefined for a body that is too large, of which no more is read */
async function readBody({ body, headers }: Request): Promise<Buffer | undefined> {
  if (Number(headers.get("content-length")) > MESSAGE_LIMIT_BYTES) return undefined;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MESSAGE_LIMIT_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
