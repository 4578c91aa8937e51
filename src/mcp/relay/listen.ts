import { createServer, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { Store } from "../../decisions/store.ts";
import { recordInterruptedIfShown } from "../../gates/interrupted.ts";
import { listening } from "../../lib/listening.ts";
import type { Launch } from "../launch.ts";
import { serveSession } from "../serve-session.ts";
import { takeFirstLine } from "./first-line.ts";
import { GREETING, GREETING_LIMIT_BYTES, refusalLine } from "./greeting.ts";
import { isRequestLine, type RelayHttp, relayHttp } from "./http.ts";

/** The socket of one session. */
export interface Relay {
  /**
   * The session ends: nobody can connect any more, and clients are left once their calls are answered;
   * gates that run are stopped, and recorded as interrupted.
   *
   * @param patience_ms after this only the call that runs is completed; those that wait are dropped
   */
  close(patience_ms?: number): Promise<void>;
}

/**
 * Serves a session to whoever connects to a socket, in this process and on its open project: over HTTP, or as
 * over stdio after a greeting. The launch alone decides the task, the session and the tools: nothing that a client says or sets changes them.
 * The socket is this user's alone, until its rights are changed.
 *
 * @param path where there is nothing yet
 * @throws Error from the system
 */
export async function listenAt(
  path: string,
  launch: Launch,
  { store, report }: { readonly store: Store; readonly report: (error: unknown) => void },
): Promise<Relay> {
  let isClosing = false;
  const { promise: closing, resolve: leave } = Promise.withResolvers<void>();
  const overdue = new AbortController();
  const connections = new Map<Socket, Promise<void>>();
  const greeted = new Set<Socket>();
  const overHttp = new Set<Socket>();
  // What the client wrote before it ended its side is still answered.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    connections.set(
      socket,
      serve(socket)
        .catch(report)
        .finally(() => connections.delete(socket)),
    );
  });
  // Each refused one has a file descriptor of the driver for a while.
  server.maxConnections = 2 * MOST_OVER_HTTP;

  let http: RelayHttp | undefined;
  let prepared: Promise<unknown> | undefined;
  const open = async () => {
    prepared ??= recordInterruptedIfShown(store).catch(report);
    await prepared;
    return store;
  };

  async function serve(socket: Socket): Promise<void> {
    const input = new PassThrough();
    const gone = new Promise<void>((resolve) => {
      input.once("end", resolve);
      socket.once("close", resolve);
      // Every write after the reader has gone fails.
      socket.on("error", () => resolve());
    });
    const first = takeFirstLine(socket, GREETING_LIMIT_BYTES);
    // One that has connected just before has written its first line, too.
    const late = closing.then(() => delay(LATE_MS));
    const greeting = await Promise.race([first, late, delay(GREETING_MS, undefined, { ref: false })]);
    if (greeting !== undefined && isRequestLine(greeting)) {
      if (isClosing || overHttp.size >= MOST_OVER_HTTP) return refuse(socket, UNAVAILABLE);
      socket.unshift(`${greeting}\n`);
      http ??= relayHttp(launch, { open, isBound: true, signal: overdue.signal, report });
      overHttp.add(socket);
      return http.serve(socket).finally(() => overHttp.delete(socket));
    }
    if (greeting !== GREETING) return refuse(socket, refusalLine(NO_GREETING));
    if (isClosing) return refuse(socket, refusalLine(ENDED));
    if (greeted.size >= MOST_CONNECTIONS) return refuse(socket, refusalLine(TOO_MANY));
    greeted.add(socket);
    socket.write(`${GREETING}\n`);
    socket.pipe(input);
    // What came before that is answered.
    const stopped = closing.then(() => stopReading());
    const stopReading = () => {
      socket.unpipe(input);
      input.end();
    };
    try {
      const { signal } = overdue;
      const client = { input, output: socket, gone, stopped };
      const reason = await serveSession(launch, { ...client, open, isBound: true, signal, report });
      if (reason) report(reason);
    } finally {
      stopReading();
      greeted.delete(socket);
      await end(socket);
    }
  }

  await listening(server, { path }, report);
  /** Clients over HTTP keep their connections as long as they like. */
  async function leaveAll(): Promise<void> {
    await http?.close();
    for (const socket of overHttp) void end(socket);
    await Promise.all(connections.values());
  }
  return {
    async close(patience_ms = PATIENCE_MS) {
      isClosing = true;
      // Also removes the socket.
      server.close();
      leave();
      const left = leaveAll();
      await Promise.race([left, delay(patience_ms, undefined, { ref: false })]);
      overdue.abort(new Error("The session has ended. Nothing was recorded."));
      for (const socket of connections.keys()) socket.destroy();
      await left;
    },
  };
}

/** A client starts one server, or two while it restarts it; each costs memory. */
const MOST_CONNECTIONS = 16;
/** A client opens one for each request under way, and one for its stream. */
const MOST_OVER_HTTP = 64;
const TOO_MANY = `it has ${MOST_CONNECTIONS} connections already. End the other servers of this session first.`;
const NO_GREETING = `expected "${GREETING}" or a request over HTTP/1.1 first. Connect with \`signalbox mcp --via\`.`;
const GREETING_MS = 10_000;
/** The loop waits for it at each session's end. */
const PATIENCE_MS = 10_000;

const LATE_MS = 100;
const ENDED = "its session has ended.";
const UNAVAILABLE = "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

async function refuse(socket: Socket, words: string): Promise<void> {
  socket.on("error", () => {});
  socket.write(words);
  await end(socket);
}

/**
 * Ends our side and waits until the client has ended its own: what it still writes to a closed socket
 * would fail, and it would not read the last lines. Gives up on one that does not read or end.
 */
async function end(socket: Socket): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    if (socket.closed) resolve();
    else socket.once("close", resolve);
  });
  socket.resume().end();
  await Promise.race([closed, delay(SLOW_READER_MS, undefined, { ref: false })]);
  socket.destroy();
}

const SLOW_READER_MS = 2_000;
