import type { Transport, TransportSendOptions } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { initializedServer } from "./initialized.ts";
import type { Session } from "./session.ts";
import { StatelessConnection } from "./stateless.ts";

/**
 * Serves a client over its connection: each request in the era of MCP that it is of, so that a
 * client may ask what is spoken here and then go on in either (MCP 2026-07-28, Versioning).
 */
export async function connectBothEras(session: Session, transport: Transport): Promise<void> {
  const stateless = new StatelessConnection(session, (message) => transport.send(message));
  await initializedServer(session).connect(new RemainingMessages(transport, stateless));
}

/** A transport without the messages that the stateless era takes. */
class RemainingMessages implements Transport {
  onclose?: Transport["onclose"];
  onerror?: Transport["onerror"];
  onmessage?: Transport["onmessage"];
  readonly #transport: Transport;
  readonly #stateless: StatelessConnection;

  constructor(transport: Transport, stateless: StatelessConnection) {
    this.#transport = transport;
    this.#stateless = stateless;
  }

  get sessionId(): string | undefined {
    return this.#transport.sessionId;
  }

  async start(): Promise<void> {
    this.#transport.onmessage = (message, extra) => {
      if (!this.#stateless.take(message)) this.onmessage?.(message, extra);
    };
    this.#transport.onclose = () => {
      this.#stateless.close();
      this.onclose?.();
    };
    this.#transport.onerror = (error) => this.onerror?.(error);
    await this.#transport.start();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    return this.#transport.send(message, options);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}
