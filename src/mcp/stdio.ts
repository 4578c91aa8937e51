import { closeStore, openStore, type Store } from "../decisions/store.ts";
import type { Environment } from "../lib/environment.ts";
import { errorMessage } from "../lib/error-message.ts";
import { checkFolder } from "../lib/project-folder.ts";
import { takePartInKeeping } from "../read-model/keeper.ts";
import type { Launch } from "./launch.ts";
import { type Service, serveSession } from "./serve-session.ts";

/**
 * Serves one session over stdin and stdout until the client disconnects (end of input, a closed
 * stdout), or until SIGINT, SIGTERM or SIGHUP, which also stop its gates. Running calls are completed
 * first. stdout carries only the protocol.
 *
 * A changed context.json takes effect; an unusable one ends the process with 2 and the reason on
 * stderr.
 */
export async function serveStdio(launch: Launch, environment: Environment): Promise<void> {
  const { databasePath } = launch;
  let opening: Promise<Store> | undefined;
  let store: Store | undefined;
  let keeper: { stop(): void } | undefined;

  async function open(): Promise<Store> {
    if (opening) return opening;
    opening = openStore(databasePath, environment);
    // The next call tries again.
    opening.catch(() => {
      opening = undefined;
    });
    const opened = await opening;
    store = opened;
    const warning = checkFolder(databasePath);
    if (warning) report(warning);
    // Loaded lazily: a server starts without it.
    const { recordInterrupted, recordInterruptedIfShown } = await import("../gates/interrupted.ts");
    keeper = takePartInKeeping(opened, {
      report,
      onElected: () => void recordInterrupted(opened).catch(report),
    });
    await recordInterruptedIfShown(opened).catch(report);
    return opened;
  }

  const { stdin: input, stdout: output } = process;
  const reason = await serveSession(launch, { input, output, open, ...ends(), report });
  keeper?.stop();
  if (store) await closeStore(store);
  if (reason) process.stderr.write(`signalbox mcp: ${reason.message}\n`);
  const exitCode = reason ? UNUSABLE : 0;
  // Flushes output to a slow reader before the process exits; gives up on one that does not read.
  setTimeout(() => process.exit(exitCode), SLOW_READER_MS);
  process.stdout.write("", () => process.exit(exitCode));
}

/** The same as for an invalid launch. */
const UNUSABLE = 2;
const SLOW_READER_MS = 2_000;

function ends(): Pick<Service, "gone" | "stopped"> {
  const gone = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
    // Every write after the reader has gone fails; none of them must end the process half-way.
    process.stdout.on("error", () => resolve());
  });
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
  return { gone, stopped };
}

function report(error: unknown): void {
  const text = errorMessage(error);
  process.stderr.write(`signalbox mcp: ${text.replace(/\s+/g, " ").slice(0, 500)}\n`);
}
