import type { JSONRPCMessage, JSONRPCNotification, JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import { answerStateless } from "./answer.ts";
import { namesVersion, ONLY_STATELESS } from "./envelope.ts";
import type { Session } from "./served-session.ts";

/** One connection's requests of the era in which each says all about itself (MCP 2026-07-28). */
export class StatelessConnection {
  readonly #session: Session;
  readonly #send: (message: JSONRPCMessage) => Promise<void>;
  readonly #running = new Map<JSONRPCRequest["id"], AbortController>();

  constructor(session: Session, send: (message: JSONRPCMessage) => Promise<void>) {
    this.#session = session;
    this.#send = send;
  }

  /** @returns false for a message that is not of this era */
  take(message: JSONRPCMessage): boolean {
    if (!("method" in message)) return false;
    if (!("id" in message)) return this.#cancel(message);
    if (!namesVersion(message) && !ONLY_STATELESS.has(message.method)) return false;
    void this.#answer(message).catch((error) => this.#session.report(error));
    return true;
  }

  /** The client has gone. */
  close(): void {
    for (const running of this.#running.values()) running.abort(new Error("The client has disconnected."));
  }

  async #answer(request: JSONRPCRequest): Promise<void> {
    const running = new AbortController();
    const { id } = request;
    const { signal } = running;
    this.#running.set(id, running);
    const notify = async (notification: Omit<JSONRPCNotification, "jsonrpc">) => {
      if (!signal.aborted) await this.#send({ jsonrpc: "2.0", ...notification });
    };
    const answer = await answerStateless(this.#session, request, { signal, notify });
    if (this.#running.get(id) === running) this.#running.delete(id);
    // Nothing more is sent about a cancelled request (MCP, Cancellation).
    if (!signal.aborted) await this.#send(answer);
  }

  #cancel({ method, params }: JSONRPCNotification): boolean {
    if (method !== "notifications/cancelled") return false;
    const id = params?.requestId;
    const running = typeof id === "string" || typeof id === "number" ? this.#running.get(id) : undefined;
    running?.abort(new Error("The client has cancelled the request."));
    return running !== undefined;
  }
}
