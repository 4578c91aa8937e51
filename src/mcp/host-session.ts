import { writeFile } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Subscription } from "rxjs";
import { ContextError } from "./context.ts";
import { ContextFile } from "./context-file.ts";
import type { Host } from "./host.ts";
import type { Launch } from "./launch.ts";
import { type AgentServer, createServer } from "./server.ts";

/** A session whose clients are served. */
export interface HostedSession extends Pick<AgentServer, "connect" | "answer" | "settled" | "stopGates"> {
  /** Resolves if its context becomes unusable: no tool can be listed or called any more. */
  readonly unusable: Promise<ContextError>;
  /** Its clients have gone, or are to be left. Resolves when every call that was received is answered, and its gates have run. */
  leave(): Promise<void>;
}

/** Serves a session as it was launched, to any number of clients. A changed context.json takes effect. */
export function hostSession(
  { context, contextPath, databasePath, workspace, connectedFile, isSandboxed, runsGates }: Launch,
  host: Host,
): HostedSession {
  const { open, report = () => {} } = host;
  const background = new Subscription();
  const { promise: unusable, resolve: giveUp } = Promise.withResolvers<ContextError>();
  const server = createServer({
    ...host,
    context,
    refresh: async () => contextFile?.look(),
    onUnusable: giveUp,
    onClient: () => {
      if (connectedFile !== undefined) writeFile(connectedFile, "", (error) => error && report(error));
    },
    onFirstAnswers: () => {
      void open().catch(report);
      background.add(contextFile?.watch().subscribe({ error: giveUp }));
    },
    readModelPath: isSandboxed ? undefined : databasePath,
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
      : new ContextFile(contextPath, context, (next) => server.replaceContext(next).catch(unlessUnusable));
  const { connect, answer, settled, stopGates } = server;
  return {
    ...{ connect, answer, settled, stopGates, unusable },
    async leave() {
      await server.leave();
      await nextTurn();
      background.unsubscribe();
    },
  };
}
