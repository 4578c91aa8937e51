import { PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { LineTransport } from "../../../src/mcp/line-transport.ts";
import type { AgentServer } from "../../../src/mcp/server.ts";
import { ENVELOPE } from "./envelope.ts";

export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A connection to a server in this process that is spoken to line by line. */
export async function connectLines(server: AgentServer) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const said: Message[] = [];
  let rest = "";
  output.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    said.push(...lines.map((line) => JSON.parse(line)));
  });
  await server.connect(new LineTransport(input, output, server.settled));
  const send = (message: object) => void input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

  /** Resolves with the first message from here on, or before, that is such a one. */
  async function heard(is: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = said.find(is);
      if (found) return found;
      await nextTurn();
    }
  }

  let asked = 0;
  return {
    /** All that the server has said. */
    said,
    send,
    heard,
    /** Sends a request as it is. */
    ask(method: string, params?: object): Promise<Message> {
      asked += 1;
      const id = `asked ${asked}`;
      send({ id, method, ...(params && { params }) });
      return heard((message) => message.id === id);
    },
    /** Sends a request that says all about itself. */
    askWhole(method: string, params: object = {}, envelope: object = {}): Promise<Message> {
      return this.ask(method, { ...params, _meta: { ...ENVELOPE, ...envelope } });
    },
  };
}
