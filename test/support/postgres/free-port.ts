import { once } from "node:events";
import { createServer } from "node:net";

/**
 * A port of 127.0.0.1 on which nobody listens, below those that the system gives to outgoing connections: a server that is down for
 * a while would lose one of these to a client.
 */
export async function freePort(): Promise<number> {
  const [lowest, count] = [15_000, 15_000];
  for (;;) {
    const port = lowest + Math.floor(Math.random() * count);
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
      return port;
    } catch {
      // Taken: the next one.
    } finally {
      server.close();
    }
  }
}
