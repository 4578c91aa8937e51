import type { Readable, Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ContextError } from "./context.ts";
import type { Host } from "./host.ts";
import { hostSession } from "./host-session.ts";
import type { Launch } from "./launch.ts";
import { LineTransport } from "./line-transport.ts";

/** One client of a session, and the process that serves it. */
export interface Service extends Host {
  /** What the client writes. */
  readonly input: Readable;
  /** What the client reads. It carries only the protocol. */
  readonly output: Writable;
  /** Resolves when the client has gone. */
  readonly gone: Promise<unknown>;
  /** Resolves when the client is to be left, and its gates are to end. */
  readonly stopped: Promise<unknown>;
}

/**
 * Serves one client of a session until it has gone. What it called for is completed first, with its
 * gates: a client may close its side as soon as it has written a `done`. A changed context.json takes effect.
 *
 * @returns why serving ended before that: the context became unusable
 */
export async function serveSession(
  launch: Launch,
  { input, output, gone, stopped, ...host }: Service,
): Promise<ContextError | undefined> {
  const session = hostSession(launch, host);
  await session.connect(new LineTransport(input, output, session.settled));
  const left = Promise.race([stopped.then(() => undefined), session.unusable]);
  void left.then(() => session.stopGates());
  const reason = await Promise.race([gone.then(() => undefined), left]);
  await nextTurn();
  await session.leave();
  return reason;
}
