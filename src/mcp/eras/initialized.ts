import { setImmediate as nextTurn } from "node:timers/promises";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, MessageExtraInfo } from "@modelcontextprotocol/sdk/types.js";
import type { SdkChannel } from "./sdk-channel.ts";
import type { Session } from "./served-session.ts";

/**
 * One connection's messages of the era in which a client introduces itself by `initialize` (MCP up
 * to 2025-11-25). The SDK is loaded at the first of them: clients of the newer era do without.
 */
export class InitializedConnection {
  readonly #session: Session;
  readonly #transport: Transport;
  readonly #waiting: [JSONRPCMessage, MessageExtraInfo | undefined][] = [];
  #channel: SdkChannel | undefined;

  constructor(session: Session, transport: Transport) {
    this.#session = session;
    this.#transport = transport;
  }

  take(message: JSONRPCMessage, extra?: MessageExtraInfo): void {
    if (this.#channel) {
      this.#channel.deliver(message, extra);
      return;
    }
    this.#waiting.push([message, extra]);
    if (this.#waiting.length > 1) return;
    void this.#session.preparing.add(this.#connect()).catch(this.#session.report);
  }

  /** The client has gone. */
  close(): void {
    this.#channel?.onclose?.();
  }

  async #connect(): Promise<void> {
    const { connectSdk } = await import("./sdk-channel.ts");
    const channel = await connectSdk(this.#session, this.#transport);
    this.#channel = channel;
    for (const [message, extra] of this.#waiting) channel.deliver(message, extra);
    // By then the SDK has begun to answer them.
    await nextTurn();
  }
}
