import { setImmediate as nextTurn } from "node:timers/promises";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { type Observable, retry, type Subscription, tap, throwError, timer } from "rxjs";
import { closeStore, openStore, type Store } from "../decisions/store.ts";
import type { Environment } from "../events/environment.ts";
import { ReadModelError } from "../projections/read-model-error.ts";
import { keepUpToDate } from "../projections/worker.ts";
import type { Launch } from "./launch.ts";
import { createServer } from "./server.ts";

/**
 * Serves one session over stdin and stdout until the client goes away: the end of input, a closed stdout, SIGINT,
 * SIGTERM or SIGHUP. Calls that are being worked on are completed first. stdout carries the protocol alone.
 */
export async function serveStdio(
  { reporter, databasePath }: Launch,
  environment: Environment,
): Promise<void> {
  let store: Store | undefined;
  let worker: Subscription | undefined;

  async function open(): Promise<Store> {
    if (!store) {
      store = openStore(databasePath, environment);
      // Where the disk or a lock gets in the way, the worker tries again; the log goes on meanwhile.
      worker = keepUpToDate(store.readModel, store.log)
        .pipe(tap({ error: report }), retry({ delay: whenToTryAgain }))
        .subscribe({ error: () => {} });
    }
    return store;
  }

  const { server, settled } = createServer({
    reporter,
    open,
    // The read model catches up once the client is there; probes that only initialize leave no trace in the log.
    onInitialized: () => void open().catch(report),
  });
  server.onerror = report;

  const ended = endOfClient();
  await server.connect(new StdioServerTransport());
  await ended;
  await nextTurn();
  await settled();
  await nextTurn();
  worker?.unsubscribe();
  if (store) await closeStore(store);
  // What is still on its way to a slow reader is written before the process goes.
  process.stdout.write("", () => process.exit(0));
}

/** In a second; but a newer program's tables stay that, and were reported. */
function whenToTryAgain(error: unknown): Observable<unknown> {
  return error instanceof ReadModelError ? throwError(() => error) : timer(1_000);
}

function endOfClient(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
    // Every write after the reader has gone fails; none of them may end the process half-way.
    process.stdout.on("error", () => resolve());
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}

function report(error: unknown): void {
  process.stderr.write(`signalbox mcp: ${error instanceof Error ? error.message : String(error)}\n`);
}
