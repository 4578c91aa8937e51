import { fork } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { platform } from "../../src/lib/platform/here.ts";
import type { Told } from "./doing.ts";
import type { Section } from "./report.ts";

/** Names the run, in the environment of all that it starts. */
const RUN_VARIABLE = "SIGNALBOX_BENCH_RUN";

/** What the processes of this run share, whoever started them. */
export function runVariables(): Readonly<Record<string, string>> {
  const run = process.env[RUN_VARIABLE];
  return run === undefined ? {} : { [RUN_VARIABLE]: run };
}

/** Begins a run: what is started from now on is of it. Each of its benches has this name and a number of its own. */
export function beginRun(name: string): void {
  process.env[RUN_VARIABLE] = name;
}

let benchesBegun = 0;

/**
 * Runs a bench in a process of its own, which ends with all that it started.
 *
 * @param args of a process that runs the one bench, and tells what it found
 * @param benches the bundled benches, by default those of this checkout
 * @throws Error: it failed, or has not ended after `limit_s`; says what it was waiting for
 */
export async function runApart(
  args: readonly string[],
  limit_s: number,
  benches = process.argv[1] ?? "",
): Promise<Section> {
  const run = `${process.env[RUN_VARIABLE]}#${++benchesBegun}`;
  const child = fork(benches, args, { env: { ...process.env, [RUN_VARIABLE]: run } });
  let waitsFor = "its begin";
  let section: Section | undefined;
  child.on("message", (told: Told) => {
    if ("doing" in told) waitsFor = told.doing;
    else section = told.section as Section;
  });
  const over = new AbortController();
  const ended = new Promise<string>((resolve) =>
    child.once("exit", (code, signal) => resolve(`it ended with ${signal ?? code}`)),
  );
  const limit = delay(limit_s * 1_000, `it has not ended after ${limit_s} s`, { signal: over.signal });
  limit.catch(() => {});
  const how = await Promise.race([ended, limit]);
  over.abort();
  // The number of one that has ended may be another's by now.
  const isRunning = child.exitCode === null && child.signalCode === null;
  await endAll(run, isRunning ? child.pid : undefined);
  if (section) return section;
  throw new Error(`${how}; it waited for ${waitsFor}`);
}

/** Ends all that this run has started. @throws Error: something does not end */
export function endRun(): Promise<void> {
  return endAll(process.env[RUN_VARIABLE] ?? "", process.pid);
}

/**
 * Ends all of a run, or of one of its benches, by whatever process it was started; also what has lost its parent, if it has the
 * run in its environment. This process goes on.
 *
 * @param run its name, in that environment; those of its benches begin with it
 * @param first the process that started all else; undefined if it has ended
 * @throws Error: something does not end
 */
async function endAll(run: string, first: number | undefined): Promise<void> {
  const { processes } = platform();
  for (let look = 0; look < LOOKS; look++) {
    const table = processes.table().filter(({ ended }) => !ended);
    const runOf = processes.variables(RUN_VARIABLE);
    const isOfRun = ({ pid }: { pid: number }) =>
      pid === first || runOf(pid) === run || runOf(pid)?.startsWith(`${run}#`);
    const found = new Set(table.filter(isOfRun).map(({ pid }) => pid));
    // A child has a higher number than its parent only mostly.
    for (let before = 0; before !== found.size; ) {
      before = found.size;
      for (const { pid, parent } of table) if (found.has(parent)) found.add(pid);
    }
    found.delete(process.pid);
    // Those above this one are of the run, too.
    for (let above = process.ppid; above > 1; above = table.find(({ pid }) => pid === above)?.parent ?? 0)
      found.delete(above);
    if (found.size === 0) return;
    for (const pid of found) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended meanwhile.
      }
    }
    await delay(LOOK_MS);
  }
  throw new Error("some processes of the bench do not end");
}

const LOOK_MS = 50;
const LOOKS = 200;
