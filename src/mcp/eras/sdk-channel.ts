import type { Transport, TransportSendOptions } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type MessageExtraInfo,
} from "@modelcontextprotocol/sdk/types.js";
import { idOf, isResponse, NO_REQUEST } from "../json-rpc.ts";
import { INVALID_REQUEST } from "../request-error.ts";
import { sdkServer } from "./sdk-server.ts";
import type { Session } from "./served-session.ts";

/** Has the SDK answer what is delivered, over a transport that was started. */
export async function connectSdk(session: Session, transport: Transport): Promise<SdkChannel> {
  const channel = new SdkChannel(transport);
  await sdkServer(session).connect(channel);
  return channel;
}

/** The part of a connection that the SDK has. */
export class SdkChannel implements Transport {
  onclose?: Transport["onclose"];
  onerror?: Transport["onerror"];
  onmessage?: Transport["onmessage"];
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  get sessionId(): string | undefined {
    return this.#transport.sessionId;
  }

  async start(): Promise<void> {}

  /** The SDK leaves unanswered what it does not understand. */
  deliver(message: JSONRPCMessage, extra?: MessageExtraInfo): void {
    const understood = JSONRPCMessageSchema.safeParse(message);
    const id = idOf(message);
    if (understood.success) this.onmessage?.(understood.data, extra);
    else if (id !== null && !isResponse(message))
      void this.send({ jsonrpc: "2.0", id, error: { code: INVALID_REQUEST, message: NO_REQUEST } });
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    return this.#transport.send(message, options);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}
