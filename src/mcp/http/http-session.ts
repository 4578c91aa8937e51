import { randomUUID } from "node:crypto";
import type { WebStandardStreamableHTTPServerTransport as Transport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { JSONRPCMessage, JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import { isStatelessVersion, namesVersion, ONLY_STATELESS } from "../eras/envelope.ts";
import type { HostedSession } from "../host-session.ts";
import { idOf } from "../json-rpc.ts";
import { BodyRoom, messageIn, SESSION_BYTES } from "./body.ts";
import { isStream, limitUnread } from "./event-stream.ts";
import { KeptEvents } from "./kept-events.ts";
import { refuse, unavailable } from "./refuse.ts";
import { VERSION_HEADER } from "./request-headers.ts";
import { answerOverHttp } from "./stateless.ts";

/** A client has one, or two while it starts again. The one that was used least recently gives way. */
const CLIENTS = 16;
/** Requests that are read or begun at the same time. */
const REQUESTS = 64;
/** Calls of a session that wait for their turn or their answer, over whichever connection: they run one after the other. */
export const CALLS = 64;
const IDLE_MS = 24 * 60 * 60 * 1000;

/** One session over HTTP: its clients of both eras. */
export class HttpSession {
  readonly #hosted: HostedSession;
  readonly #clients = new Map<string, Client>();
  readonly #room: BodyRoom;
  #answering = 0;
  #isClosed = false;

  /** @param room of all sessions of the server; absent: there is only this one */
  constructor(hosted: HostedSession, room?: BodyRoom) {
    this.#hosted = hosted;
    this.#room = new BodyRoom(SESSION_BYTES, room);
  }

  /** Answers a request to the endpoint (MCP, Streamable HTTP). */
  async answer(request: Request): Promise<Response> {
    const { method, headers } = request;
    if (this.#isClosed) return unavailable("This session has ended. Nothing was recorded.");
    if (method === "POST") return this.#limited(() => this.#post(request));
    const isStateless = isStatelessVersion(headers.get(VERSION_HEADER));
    if (isStateless || (method !== "GET" && method !== "DELETE")) {
      const allowed = isStateless ? "POST" : "GET, POST, DELETE";
      return refuse(405, `${method} is not allowed here: use ${allowed}.`, { headers: { Allow: allowed } });
    }
    return this.#clientOf(headers, async (client) => limitUnread(await client.handleRequest(request)));
  }

  /** The session ends: no request comes any more, its gates are stopped, and clients are left once their calls are answered. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#hosted.stopGates();
    await this.#hosted.leave();
    for (const { transport } of this.#clients.values()) await transport.close();
    this.#clients.clear();
  }

  async #limited(answer: () => Promise<Response>): Promise<Response> {
    if (this.#answering >= REQUESTS)
      return refuse(
        429,
        `This session has ${REQUESTS} requests under way already. Wait for an answer first.`,
      );
    this.#answering += 1;
    return answer().finally(() => {
      this.#answering -= 1;
    });
  }

  async #post(request: Request): Promise<Response> {
    let held_bytes = 0;
    const take = (bytes: number) => {
      const isTaken = this.#room.take(bytes);
      if (isTaken) held_bytes += bytes;
      return isTaken;
    };
    const give = () => {
      this.#room.give(held_bytes);
      held_bytes = 0;
    };
    try {
      const message = await messageIn(request, { take, give });
      const response = message instanceof Response ? message : await this.#answerTo(message, request);
      // The call of a stream still runs.
      if (isStream(response)) return limitUnread(response, give);
      give();
      return response;
    } catch (error) {
      give();
      throw error;
    }
  }

  async #answerTo(message: JSONRPCMessage, request: Request): Promise<Response> {
    if (!isStateless(message, request.headers)) return this.#postToClient(request, message);
    if ("id" in message && "method" in message)
      return answerOverHttp(this.#hosted, message as JSONRPCRequest, request);
    // A client of this era cancels by leaving.
    return new Response(null, { status: 202 });
  }

  async #postToClient(request: Request, message: JSONRPCMessage): Promise<Response> {
    const handle = async (client: Transport) =>
      limitUnread(await client.handleRequest(request, { parsedBody: message }));
    if (!("method" in message) || message.method !== "initialize" || request.headers.has(SESSION_HEADER))
      return this.#clientOf(request.headers, handle, idOf(message));
    return handle(await this.#newClient());
  }

  async #newClient(): Promise<Transport> {
    // Clients of the newer era do without.
    const { WebStandardStreamableHTTPServerTransport } = await import(
      "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"
    );
    const transport: Transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: new KeptEvents(),
      onsessioninitialized: (id) => this.#add(id, transport),
      onsessionclosed: (id) => void this.#clients.delete(id),
    });
    await this.#hosted.connect(transport);
    return transport;
  }

  #add(id: string, transport: Transport): void {
    this.#clients.set(id, { transport, used: Date.now() });
    for (const [oldest, client] of this.#clients) {
      if (this.#clients.size <= CLIENTS && client.used > Date.now() - IDLE_MS) return;
      this.#clients.delete(oldest);
      void client.transport.close();
    }
  }

  async #clientOf(
    headers: Headers,
    handle: (client: Transport) => Promise<Response>,
    id: string | number | null = null,
  ): Promise<Response> {
    const name = headers.get(SESSION_HEADER);
    if (name === null)
      return refuse(
        400,
        `The header ${SESSION_HEADER} is missing. Send \`initialize\` first, and then what its answer has in this header; or send requests of MCP 2026-07-28.`,
        { id },
      );
    const client = this.#clients.get(name);
    if (!client)
      return refuse(
        404,
        `There is no ${SESSION_HEADER} ${JSON.stringify(name.slice(0, 100))} of this token. Send \`initialize\` again.`,
        { code: SESSION_NOT_FOUND, id },
      );
    // The least recently used comes first.
    this.#clients.delete(name);
    this.#clients.set(name, { ...client, used: Date.now() });
    return handle(client.transport);
  }
}

interface Client {
  readonly transport: Transport;
  /** In ms since 1970. */
  readonly used: number;
}

const SESSION_HEADER = "mcp-session-id";
/** As the SDK has it. */
const SESSION_NOT_FOUND = -32_001;

/** True for a message of the era that has no `initialize`. */
function isStateless(message: JSONRPCMessage, headers: Headers): boolean {
  if (!("method" in message)) return false;
  return (
    namesVersion(message) ||
    ONLY_STATELESS.has(message.method) ||
    isStatelessVersion(headers.get(VERSION_HEADER))
  );
}
