import { TrackerError } from "./adapter.ts";
import type { TrackerKind } from "./core.ts";
import { type Config, errorMessage, type Project } from "./core.ts";
import { openTracker } from "./open.ts";
import { syncTracker } from "./sync.ts";

interface Syncing {
  /** Syncs once more, for what came last. */
  finish(): Promise<void>;
  /** Ends after the sync that runs. */
  stop(): Promise<void>;
}

/**
 * Syncs a tracker again and again, beside a loop. What fails is told and tried again later: the loop does not wait for it.
 *
 * @returns once the first sync has ended, whatever it came to
 */
export async function keepSyncing(
  project: Project,
  kind: TrackerKind,
  config: Config,
  readModelPath: string,
  report: (problem: string) => void,
): Promise<Syncing> {
  const { adapter, options } = await openTracker(kind, config, readModelPath);
  const every_ms = (config[kind]?.every_s ?? 60) * 1_000;
  let reported = "";
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running = sync();

  async function sync(): Promise<void> {
    let wait_ms = every_ms;
    let problem = "";
    try {
      problem = (await syncTracker(project, adapter, options)).problems.join(" ");
    } catch (error) {
      problem = errorMessage(error);
      if (error instanceof TrackerError) wait_ms = Math.max(wait_ms, error.retryAfter_ms ?? 0);
    }
    if (problem !== "" && problem !== reported) report(problem);
    reported = problem;
    if (isStopped) return;
    timer = setTimeout(() => {
      running = sync();
    }, wait_ms);
  }

  await running;
  return {
    async finish() {
      clearTimeout(timer);
      await running;
      running = sync();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
