import { setTimeout as delay } from "node:timers/promises";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { idOf, isMessage, NO_MESSAGE } from "../json-rpc.ts";
import { MESSAGE_LIMIT_BYTES } from "../message-limit.ts";
import { PARSE_ERROR } from "../request-error.ts";
import { refuse } from "./refuse.ts";

/** The bytes of bodies that are held at once, by one session or by all. */
export class BodyRoom {
  readonly #limit_bytes: number;
  readonly #around: BodyRoom | undefined;
  #held_bytes = 0;

  /** @param around a room for several of these */
  constructor(limit_bytes: number, around?: BodyRoom) {
    this.#limit_bytes = limit_bytes;
    this.#around = around;
  }

  /** @returns false: there is no room, and none was taken */
  take(bytes: number): boolean {
    if (this.#held_bytes + bytes > this.#limit_bytes || this.#around?.take(bytes) === false) return false;
    this.#held_bytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#held_bytes -= bytes;
    this.#around?.give(bytes);
  }
}

/** The room that one request holds. */
export interface Held {
  /** @returns false: there is no room now, and none was taken */
  take(bytes: number): boolean;
  /** Gives back all that was taken. */
  give(): void;
}

/** Of one session: its calls run one after the other. */
export const SESSION_BYTES = 2 * MESSAGE_LIMIT_BYTES;
/** Of all sessions of a server. */
export const SERVER_BYTES = 8 * MESSAGE_LIMIT_BYTES;

/** The message in a request's body, or the refusal of it. */
export async function messageIn(request: Request, held: Held): Promise<JSONRPCMessage | Response> {
  const fault = mediaFault(request.headers);
  if (fault) return fault;
  const body = await readBody(request, held);
  if (body === "no_room")
    return refuse(
      429,
      "The server holds too many large requests already. Nothing was recorded. Wait for an answer, then send it again.",
      { headers: { "Retry-After": "1" } },
    );
  if (body === "too_large")
    return refuse(413, `The request body is larger than ${MESSAGE_LIMIT_BYTES} bytes. Nothing was recorded.`);
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

async function readBody({ body, headers }: Request, held: Held): Promise<Buffer | "no_room" | "too_large"> {
  if (!body) return Buffer.alloc(0);
  const reader = body.getReader();
  if (Number(headers.get("content-length")) > MESSAGE_LIMIT_BYTES) {
    await passOver(reader);
    return "too_large";
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let part = await reader.read(); part.value; part = await reader.read()) {
    bytes += part.value.length;
    const isTooLarge = bytes > MESSAGE_LIMIT_BYTES;
    if (isTooLarge || !held.take(part.value.length)) {
      chunks.length = 0;
      held.give();
      await passOver(reader);
      return isTooLarge ? "too_large" : "no_room";
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks);
}

/**
 * Reads the rest of a refused body, and keeps nothing of it: a client sends its next request on a connection once it
 * has written this one, and would lose both answers if the server closed it because of what it has not read.
 */
async function passOver(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  for (let bytes = 0; bytes < PASS_OVER_BYTES; ) {
    const part = await Promise.race([reader.read(), delay(PASS_OVER_IDLE_MS, undefined, { ref: false })]);
    if (!part?.value) return;
    bytes += part.value.length;
  }
}

/** What is still sent after that is no message that somebody meant to send. */
const PASS_OVER_BYTES = 8 * MESSAGE_LIMIT_BYTES;
/** A client that sends nothing for so long gets its answer at once. */
const PASS_OVER_IDLE_MS = 500;

const utf8 = new TextDecoder("utf-8", { fatal: true });
