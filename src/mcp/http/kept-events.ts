import type { EventStore } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

/** What a client that lost its connection can still read, in all of its streams. */
const KEPT = 1_000;
const KEPT_BYTES = 1024 * 1024;

/** The last messages of a client's streams, so that it can go on after a lost connection (MCP, Resumability). */
export class KeptEvents implements EventStore {
  readonly #kept: Kept[] = [];
  #bytes = 0;
  #last = 0;

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    this.#last += 1;
    const bytes = JSON.stringify(message).length;
    this.#kept.push({ number: this.#last, streamId, message, bytes });
    this.#bytes += bytes;
    while (this.#kept.length > KEPT || (this.#bytes > KEPT_BYTES && this.#kept.length > 1))
      this.#bytes -= this.#kept.shift()?.bytes ?? 0;
    return `${streamId}/${this.#last}`;
  }

  /** Undefined for an id that no stream here has had. */
  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    const [, streamId, number] = ID.exec(id) ?? [];
    return Number(number) <= this.#last ? streamId : undefined;
  }

  /** @throws Error: what came next is no longer kept */
  async replayEventsAfter(
    id: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const [, streamId = "", text] = ID.exec(id) ?? [];
    const after = Number(text);
    const oldest = this.#kept[0]?.number ?? this.#last + 1;
    if (after + 1 < oldest) throw new Error(`What came after ${id} is no longer kept.`);
    for (const { number, streamId: of, message } of this.#kept)
      if (of === streamId && number > after && !isPriming(message)) await send(`${of}/${number}`, message);
    return streamId;
  }
}

interface Kept {
  readonly number: number;
  readonly streamId: string;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

const ID = /^(.+)\/(\d{1,15})$/;

/** An empty event that only tells a client where a stream begins. */
function isPriming(message: JSONRPCMessage): boolean {
  return !("jsonrpc" in message);
}
