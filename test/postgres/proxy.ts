import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A way to a server that can be cut. */
export interface Proxy {
  /** The URL that leads through it. */
  readonly url: string;
  /** From now on what the server says reaches nobody; what clients say goes on to it. */
  dropAnswers(): void;
  /** From now on nothing goes through, and no connection ends: as where the server's machine lost its power. */
  freeze(): void;
  /** Ends every connection through it, on the client's side; the server's stays until `heal`. New ones are whole again. */
  cut(): void;
  /** Refuses new connections, and ends those that there are. */
  close(): void;
  /** Takes connections again. */
  heal(): Promise<void>;
}

/** A proxy on this machine before the server of a URL; it ends with the test. */
export async function givenProxy(url: string): Promise<Proxy> {
  const target = new URL(url);
  const pairs = new Set<{ readonly client: Socket; readonly server: Socket; isMute: boolean }>();
  let isFrozen = false;
  const listener = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    const pair = { client, server, isMute: false };
    pairs.add(pair);
    client.on("data", (data) => {
      if (!isFrozen) server.write(data);
    });
    server.on("data", (data) => {
      if (!pair.isMute && !isFrozen) client.write(data);
    });
    for (const socket of [client, server]) socket.on("error", () => {});
    server.on("close", () => client.destroy());
    client.on("close", () => {
      if (!pair.isMute) server.destroy();
    });
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  const through = new URL(url);
  through.host = `127.0.0.1:${port}`;
  const end = () => {
    for (const { client, server } of pairs) {
      client.destroy();
      server.destroy();
    }
    pairs.clear();
  };
  const proxy: Proxy = {
    url: through.href,
    dropAnswers() {
      for (const pair of pairs) pair.isMute = true;
    },
    freeze() {
      isFrozen = true;
    },
    cut() {
      for (const { client } of pairs) client.destroy();
    },
    close() {
      listener.close();
      end();
    },
    async heal() {
      listener.listen(port, "127.0.0.1");
      await once(listener, "listening");
    },
  };
  onTestFinished(() => proxy.close());
  return proxy;
}
