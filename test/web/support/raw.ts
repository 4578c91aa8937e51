import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { Panel } from "../../../adapters/page/server/serve.ts";

/** A connection to a panel on which a test writes byte by byte. It ends with the test. */
export interface RawConnection {
  readonly socket: Socket;
  /** Resolves to all that came when the text is among it. @throws if the server ends the connection before */
  until(text: string): Promise<string>;
  /** Resolves to all that came when the server has ended the connection. */
  ended(): Promise<string>;
}

export function connectRaw(panel: Pick<Panel, "port">, request: string): RawConnection {
  const socket = connect(panel.port, "127.0.0.1");
  onTestFinished(() => {
    socket.destroy();
  });
  let told = "";
  socket.setEncoding("utf8").on("data", (text: string) => (told += text));
  socket.on("error", () => {});
  const closed = once(socket, "close");
  socket.write(request);
  return {
    socket,
    async until(text) {
      while (!told.includes(text)) {
        if (socket.readableEnded) throw new Error(`The server ended with ${told}`);
        await Promise.race([once(socket, "data"), closed]);
      }
      return told;
    },
    async ended() {
      await closed;
      return told;
    },
  };
}

/** A request as it goes over the wire. The target is sent as it is; without a body it is left open. */
export function requestText(
  panel: Pick<Panel, "port">,
  target: string,
  headers: Readonly<Record<string, string>>,
  body = "",
): string {
  const all = { Host: `127.0.0.1:${panel.port}`, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${[target, ...lines].join("\r\n")}\r\n\r\n${body}`;
}
