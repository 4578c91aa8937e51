import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { idOf, isMessage, isResponse, NO_REQUEST } from "./json-rpc.ts";
import { MESSAGE_LIMIT_BYTES, UNREAD_LIMIT_BYTES } from "./message-limit.ts";
import { INVALID_REQUEST, PARSE_ERROR } from "./request-error.ts";

/** The most input read ahead of the calls in it, so that a client cannot fill the memory. */
const TAKEN_LIMIT_BYTES = 1024 * 1024;

/**
 * MCP over a pair of streams, one message per line. The SDK's own transport ignores lines that are
 * not messages, so that a client waits for ever; stops for good at a long line; and reads without
 * backpressure.
 *
 * @param settled resolves when every call received so far is done
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #settled: () => Promise<unknown>;
  /** The beginning of an incomplete line. */
  #begun: Buffer[] = [];
  #begun_bytes = 0;
  /** The rest of an overlong line is skipped. */
  #skipping = false;
  #drained: Promise<unknown> | undefined;

  constructor(input: Readable, output: Writable, settled: () => Promise<unknown>) {
    this.#input = input;
    this.#output = output;
    this.#settled = settled;
  }

  async start(): Promise<void> {
    void this.#read().catch((error) => this.onerror?.(error));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write(message);
    await this.#drained;
  }

  async close(): Promise<void> {
    this.#input.destroy();
    this.onclose?.();
  }

  async #read(): Promise<void> {
    let taken_bytes = 0;
    for await (const chunk of this.#input) {
      this.#take(chunk);
      taken_bytes += chunk.length;
      if (taken_bytes > TAKEN_LIMIT_BYTES) {
        taken_bytes = 0;
        await this.#settled();
      }
      await this.#drained;
    }
  }

  #take(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      this.#begin(chunk.subarray(start, end));
      start = end + 1;
      const line = Buffer.concat(this.#begun);
      this.#begun = [];
      this.#begun_bytes = 0;
      if (!this.#skipping) this.#understand(line);
      this.#skipping = false;
    }
    this.#begin(chunk.subarray(start));
  }

  #begin(part: Buffer): void {
    if (this.#skipping || part.length === 0) return;
    this.#begun.push(part);
    this.#begun_bytes += part.length;
    if (this.#begun_bytes <= MESSAGE_LIMIT_BYTES) return;
    this.#skipping = true;
    this.#begun = [];
    this.#refuse(
      PARSE_ERROR,
      `A line is longer than ${MESSAGE_LIMIT_BYTES} bytes and was not read. Nothing was recorded.`,
    );
  }

  #understand(line: Buffer): void {
    let value: unknown;
    try {
      const text = utf8.decode(line);
      if (/^[ \t\r]*$/.test(text)) return;
      value = JSON.parse(text);
    } catch {
      this.#refuse(
        PARSE_ERROR,
        "A line is not JSON in UTF-8; each line must hold one complete message. Nothing was recorded.",
      );
      return;
    }
    if (isMessage(value)) this.onmessage?.(value);
    else if (!isResponse(value)) this.#refuse(INVALID_REQUEST, NO_REQUEST, idOf(value));
  }

  /** `id` is null if the line has no readable id (JSON-RPC 2.0, 5). */
  #refuse(code: number, message: string, id: string | number | null = null): void {
    this.#write({ jsonrpc: "2.0", id, error: { code, message } });
  }

  #write(message: object): void {
    if (this.#output.writableLength > UNREAD_LIMIT_BYTES)
      this.#output.destroy(new Error(`The client left more than ${UNREAD_LIMIT_BYTES} bytes unread.`));
    if (this.#output.destroyed) return;
    if (this.#output.write(`${JSON.stringify(message)}\n`) || this.#drained) return;
    const over = new AbortController();
    const { signal } = over;
    this.#drained = Promise.race([
      once(this.#output, "drain", { signal }),
      once(this.#output, "close", { signal }),
    ])
      .catch(() => {})
      .then(() => {
        // Stops waiting for the other one.
        over.abort();
        this.#drained = undefined;
      });
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
