import { writeFile } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Subscription } from "rxjs";
import type { Store } from "../decisions/store.ts";
import { ContextError } from "./context.ts";
import { ContextFile } from "./context-file.ts";
import type { Launch } from "./launch.ts";
import { LineTransport } from "./line-transport.ts";
import { createServer } from "./server.ts";

/** One client of a session, and the process that serves it. */
export interface Service {
  /** What the client writes. */
  readonly input: Readable;
  /** What the client reads. It carries only the protocol. */
  readonly output: Writable;
  /** Opens the project; called for each use. */
  readonly open: () => Promise<Store>;
  /** Resolves when the client has gone, or is to be left. */
  readonly ended: Promise<unknown>;
  /** Once it is aborted, the calls that wait for their turn are dropped. */
  readonly signal?: AbortSignal;
  readonly report: (error: unknown) => void;
}

/**
 * Serves one client of a session until it has gone. Running calls are completed first. A changed
 * context.json takes effect.
 *
 * @returns why serving ended before that: the context became unusable
 */
export async function serveSession(
  { context, contextPath, databasePath, workspace, connectedFile, runsGates }: Launch,
  { input, output, open, ended, signal, report }: Service,
): Promise<ContextError | undefined> {
  const background = new Subscription();
  let giveUp: (error: ContextError) => void = () => {};
  const unusable = new Promise<ContextError>((resolve) => {
    giveUp = resolve;
  });
  const { connect, settled, leave, replaceContext } = createServer({
    context,
    open,
    signal,
    refresh: async () => contextFile?.look(),
    onUnusable: giveUp,
    onClient: () => {
      if (connectedFile !== undefined) writeFile(connectedFile, "", (error) => error && report(error));
    },
    onFirstAnswers: () => {
      void open().catch(report);
      background.add(contextFile?.watch().subscribe({ error: giveUp }));
    },
    readModelPath: databasePath,
    report,
    gates: runsGates ? { readModelPath: databasePath, workspace } : undefined,
  });
  /** The watcher handles a context with unknown names; a disconnected client is handled elsewhere. */
  const unlessUnusable = (error: unknown) => {
    if (error instanceof ContextError) throw error;
    report(error);
  };
  const contextFile =
    contextPath === undefined
      ? undefined
      : new ContextFile(contextPath, context, (next) => replaceContext(next).catch(unlessUnusable));

  await connect(new LineTransport(input, output, settled));
  const reason = await Promise.race([ended.then(() => undefined), unusable]);
  await nextTurn();
  await leave();
  await nextTurn();
  background.unsubscribe();
  return reason;
}
