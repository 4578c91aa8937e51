import { writeFile } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Subscription } from "rxjs";
import { closeStore, openStore, type Store } from "../decisions/store.ts";
import type { Environment } from "../events/environment.ts";
import { checkFolder } from "../events/project-folder.ts";
import { takePartInKeeping } from "../projections/keeper.ts";
import { ContextError } from "./context.ts";
import { ContextFile } from "./context-file.ts";
import type { Launch } from "./launch.ts";
import { LineTransport } from "./line-transport.ts";
import { createServer } from "./server.ts";

/**
 * Serves one session over stdin and stdout until the client disconnects: end of input, a closed
 * stdout, SIGINT, SIGTERM or SIGHUP. Running calls are completed first. stdout carries only the
 * protocol.
 *
 * A changed context.json takes effect; an unusable one ends the process with 2 and the reason on
 * stderr.
 */
export async function serveStdio(
  { context, contextPath, databasePath, workspace, connectedFile, runsGates }: Launch,
  environment: Environment,
): Promise<void> {
  let store: Store | undefined;
  let keeper: { stop(): void } | undefined;
  const background = new Subscription();

  async function open(): Promise<Store> {
    if (!store) {
      store = openStore(databasePath, environment);
      const warning = checkFolder(databasePath);
      if (warning) report(warning);
      // Loaded lazily: a server starts without it.
      const { recordInterrupted, recordInterruptedIfShown } = await import("../gates/interrupted.ts");
      const opened = store;
      keeper = takePartInKeeping(opened, {
        report,
        onElected: () => void recordInterrupted(opened).catch(report),
      });
      await recordInterruptedIfShown(opened).catch(report);
    }
    return store;
  }

  let giveUp: (error: ContextError) => void = () => {};
  const unusable = new Promise<ContextError>((resolve) => {
    giveUp = resolve;
  });
  const { server, settled, leave, replaceContext } = createServer({
    context,
    open,
    refresh: async () => contextFile?.look(),
    onUnusable: giveUp,
    onInitialized: () => {
      if (connectedFile !== undefined) writeFile(connectedFile, "", (error) => error && report(error));
    },
    onFirstAnswers: () => {
      void open().catch(report);
      background.add(contextFile?.watch().subscribe({ error: giveUp }));
    },
    readModelPath: databasePath,
    gates: runsGates ? { readModelPath: databasePath, workspace } : undefined,
  });
  server.onerror = report;
  const contextFile =
    contextPath === undefined
      ? undefined
      : new ContextFile(contextPath, context, (next) => replaceContext(next).catch(unlessUnusable));

  const ended = endOfClient();
  await server.connect(new LineTransport(process.stdin, process.stdout, settled));
  const reason = await Promise.race([ended, unusable]);
  await nextTurn();
  await leave();
  await nextTurn();
  background.unsubscribe();
  keeper?.stop();
  if (store) await closeStore(store);
  if (reason) process.stderr.write(`signalbox mcp: ${reason.message}\n`);
  const exitCode = reason ? UNUSABLE : 0;
  // Flushes output to a slow reader before the process exits; gives up on one that does not read.
  setTimeout(() => process.exit(exitCode), SLOW_READER_MS);
  process.stdout.write("", () => process.exit(exitCode));
}

/** The watcher handles a context with unknown names; a disconnected client is handled elsewhere. */
function unlessUnusable(error: unknown): void {
  if (error instanceof ContextError) throw error;
  report(error);
}

/** The same as for an invalid launch. */
const UNUSABLE = 2;
const SLOW_READER_MS = 2_000;

function endOfClient(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
    // Every write after the reader has gone fails; none of them must end the process half-way.
    process.stdout.on("error", () => resolve());
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}

function report(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(`signalbox mcp: ${text.replace(/\s+/g, " ").slice(0, 500)}\n`);
}
