import type { Readable, Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ContextError } from "./context.ts";
import { type Host, hostSession } from "./host-session.ts";
import type { Launch } from "./launch.ts";
import { LineTransport } from "./line-transport.ts";

/** One client of a session, and the process that serves it. */
export interface Service extends Host {
  /** What the client writes. */
  readonly input: Readable;
  /** What the client reads. It carries only the protocol. */
  readonly output: Writable;
  /** Resolves when the client has gone, or is to be left. */
  readonly ended: Promise<unknown>;
}

/**
 * Serves one client of a session until it has gone. Running calls are completed first. A changed
 * context.json takes effect.
 *
 * @returns why serving ended before that: the context became unusable
 */
export async function serveSession(
  launch: Launch,
  { input, output, ended, ...host }: Service,
): Promise<ContextError | undefined> {
  const session = hostSession(launch, host);
  await session.connect(new LineTransport(input, output, session.settled));
  const reason = await Promise.race([ended.then(() => undefined), session.unusable]);
  await nextTurn();
  await session.leave();
  return reason;
}
