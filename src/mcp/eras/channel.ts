import type { JSONRPCNotification } from "@modelcontextprotocol/sdk/types.js";

/** The way back to the client of one request. */
export interface Channel {
  /** Aborted when the client cancels the request or disconnects. */
  readonly signal: AbortSignal;
  /** Sends a notification about the request. */
  notify(notification: Omit<JSONRPCNotification, "jsonrpc">): Promise<void>;
}
