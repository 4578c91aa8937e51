import { once } from "node:events";
import { existsSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { openProxy } from "../../../adapters/sandboxes/proxy.ts";
import { freshFolder } from "../../support/project.ts";

/* Catches: a way out of a sandbox to another host or port, or for anything but CONNECT; connections that outlive the session; a client or a host that goes away and takes the driver with it. */

interface Given {
  readonly told: unknown[];
  readonly path: string;
  readonly close: () => Promise<void>;
  /** A connection to it on which a text was written. */
  say(words: string): Socket;
}

async function givenProxy(...allowed: readonly string[]): Promise<Given> {
  const path = join(freshFolder(), "proxy");
  const told: unknown[] = [];
  const { close } = await openProxy(path, { allowed, report: (error) => told.push(error) });
  onTestFinished(close);
  return {
    told,
    path,
    close,
    say(words) {
      const socket = connect({ path });
      socket.on("error", () => {});
      socket.write(words);
      onTestFinished(() => void socket.destroy());
      return socket;
    },
  };
}

/** A host on a loopback port that sends back what it gets, in capitals. */
async function givenHost(): Promise<{ readonly server: Server; readonly host: string }> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => {});
    socket.on("data", (data) => socket.write(String(data).toUpperCase())).on("end", () => socket.end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { server, host: `localhost:${(server.address() as AddressInfo).port}` };
}

const ask = (host: string) => `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

test("an allowed host is reached by a name that leads to a private address, in any letters, and what came with the request gets there", async () => {
  const { host } = await givenHost();
  const { say, told } = await givenProxy("api.example.org:443", host);
  const socket = say(`${ask(host.toUpperCase())}early `);
  socket.end("late");
  expect(await text(socket)).toBe("HTTP/1.1 200 Connection established\r\n\r\nEARLY LATE");
  expect(told).toEqual([]);
});

test.each([
  ["another host", () => "example.org:443"],
  ["another port of an allowed host", () => "localhost:1"],
  ["a name that ends as an allowed one does", (host: string) => `evil.${host}`],
  ["the address of an allowed host", (host: string) => host.replace("localhost", "127.0.0.1")],
  ["an allowed host with a dot after it", (host: string) => host.replace(":", ".:")],
  ["no port", () => "localhost"],
])("%s is refused with what is allowed, and told once", async (_what, target) => {
  const { host } = await givenHost();
  const { say, told } = await givenProxy(host);
  for (let time = 0; time < 2; time += 1) {
    expect(await text(say(ask(target(host))))).toMatch(
      new RegExp(
        `^HTTP/1.1 403 Forbidden\r\n(.*\r\n)*\r\n.* is not allowed in this sandbox. Allowed: ${host}.\n$`,
      ),
    );
  }
  expect(told).toEqual([`The proxy refused ${target(host)}.`]);
});

test("a request that is not CONNECT is refused, also to an allowed host", async () => {
  const { host } = await givenHost();
  const { say } = await givenProxy(host);
  const answer = await text(say(`GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
  expect(answer).toMatch(/^HTTP\/1.1 405 .*allows only CONNECT/s);
});

test("a host that does not answer is told as such", async () => {
  const { server, host } = await givenHost();
  server.close();
  const { say, told } = await givenProxy(host);
  expect(await text(say(ask(host)))).toMatch(/^HTTP\/1.1 502 Bad Gateway.*ECONNREFUSED/s);
  expect(told).toEqual([expect.stringContaining(`The proxy cannot reach ${host}: `)]);
});

test("what is no HTTP, and headers without end, are cut off", async () => {
  const { say } = await givenProxy();
  expect(await text(say("\x16\x03\x01 hello\r\n\r\n"))).toBe("");
  expect(await text(say(`CONNECT a:443 HTTP/1.1\r\nX: ${"x".repeat(20_000)}`))).toBe("");
});

test("a connection that is cut off midway ends its other side, and others go on", async () => {
  const { server, host } = await givenHost();
  const { say, told } = await givenProxy(host);
  const open = async () => {
    const accepted = once(server, "connection");
    const near = say(ask(host));
    await once(near, "data");
    const [far] = await accepted;
    return { near, far };
  };
  const [first, second, third] = [await open(), await open(), await open()];
  const gone = [first.far, second.near].map((socket) => once(socket, "close"));
  first.near.destroy();
  second.far.resetAndDestroy();
  await Promise.all(gone);
  third.near.end("still here");
  expect(await text(third.near)).toBe("STILL HERE");
  expect(told).toEqual([]);
});

test("it ends with the session: tunnels, answers that are open, and whoever has said nothing yet", async () => {
  const { host } = await givenHost();
  const { say, path, close } = await givenProxy(host);
  const silent = connect({ path }).on("error", () => {});
  const slow = say("CONNECT ");
  const session = say("GET /session HTTP/1.1\r\nHost: a\r\n\r\n");
  const tunnel = say(ask(host));
  expect(String((await once(session, "data"))[0])).toMatch(/^HTTP\/1.1 200 OK/);
  await once(tunnel, "data");
  const ended = [silent, slow, session, tunnel].map((socket) => once(socket.resume(), "close"));
  await close();
  await Promise.all(ended);
  expect(existsSync(path)).toBe(false);
});
