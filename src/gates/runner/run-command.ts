import { GATE_VARIABLE } from "../../decisions/gate-mark.ts";
import type { CommandResult } from "../../events/types/command-result.ts";
import { confinedFolder } from "./confined-folder.ts";
import { endCommand, endLeftBehind } from "./end-processes.ts";
import { explain } from "./explanation.ts";
import { Family, markOf, newRun } from "./family.ts";
import { type Isolation, shellLine } from "./isolation.ts";
import { DRAIN_MS, KILL_MS } from "./limits.ts";
import { keepOutputs, type Progress } from "./output.ts";
import { within } from "./patience.ts";
import { startShell } from "./shell-process.ts";

export interface Command {
  /** The last argument of a shell; may have several lines. */
  readonly command: string;
  /** The working folder; `confinedFolder` gives one that lies in the project. */
  readonly folder: string;
  /** The timeout in milliseconds. */
  readonly timeoutMs: number;
  /** Its whole environment except our mark; see `gateEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Called just before the command starts. Its errors are rethrown. */
  readonly beforeStart?: (() => Promise<void>) | undefined;
  /**
   * Called with every piece of output, which is often. Its errors end the command, and are
   * rethrown.
   */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Aborts the command. */
  readonly signal?: AbortSignal | undefined;
  /** The shell and its arguments before the command; the system's if absent, such as `sh -c`. */
  readonly shell?: readonly string[] | undefined;
  /** `none` if absent. */
  readonly isolation?: Isolation | undefined;
}

/**
 * Runs a command with a shell, and returns when its shell and all child processes have ended.
 * Neither a grandchild nor an open pipe delays it (docs/gates.md).
 *
 * @throws RunnerError: nothing ran. The abort reason of `signal`, if aborted before the start. The
 * error of `onProgress`
 */
export async function runCommand({
  signal,
  isolation = "none",
  ...command
}: Command): Promise<CommandResult> {
  checkTime(command.timeoutMs);
  signal?.throwIfAborted();
  const folder = confinedFolder(command.folder);
  const line = await shellLine(command.command, folder, isolation, command.shell);
  signal?.throwIfAborted();
  await command.beforeStart?.();
  const run = newRun();
  const shell = await startShell(line, folder, { ...command.environment, [GATE_VARIABLE]: markOf(run) });
  const began_ms = performance.now();
  const family = new Family(run, shell.pid);
  const outputs = keepOutputs(shell, began_ms, command.onProgress);

  const halt = haltOn(command.timeoutMs, signal, outputs.failed);
  const exitedFirst = await Promise.race([shell.exited, halt.comes]);
  halt.done();
  if (!exitedFirst) await endCommand(family, shell.pid, line.isolation);
  const exit = exitedFirst ?? (await within(shell.exited, KILL_MS));
  const duration_ms = Math.round(performance.now() - began_ms);

  // At once, before another process can get the shell's pid.
  family.look();
  await within(shell.closed, DRAIN_MS);
  const left_behind = await endLeftBehind(family, shell.pid);
  await within(shell.closed, DRAIN_MS);
  shell.letGo();
  outputs.failed.throwIfAborted();

  const end = {
    exit_code: exit?.code ?? null,
    signal: exit?.signal ?? null,
    timed_out: halt.why === "timed_out",
    interrupted: halt.why === "aborted",
  };
  return {
    ...end,
    duration_ms,
    stdout: outputs.stdout.end(),
    stderr: outputs.stderr.end(),
    explanation: explain(end, command.timeoutMs),
    isolation: line.isolation,
    left_behind,
  };
}

function checkTime(timeoutMs: number): void {
  if (timeoutMs >= 1 && timeoutMs <= TIMER_LIMIT_MS) return;
  throw new RangeError(
    `The time limit of a command must be 1 to ${TIMER_LIMIT_MS} milliseconds, not ${timeoutMs}.`,
  );
}

/** The longest delay of a timer. */
const TIMER_LIMIT_MS = 2 ** 31 - 1;

interface Halt {
  /** Why the command was told to end, if it was. */
  readonly why: "timed_out" | "aborted" | undefined;
  /** Resolves when it must end; never, if it ends first. */
  readonly comes: Promise<undefined>;
  /** It has ended: stops waiting. */
  done(): void;
}

/** Decides when to end a command: at its timeout, or when a signal is aborted. The first counts. */
function haltOn(timeoutMs: number, ...signals: readonly (AbortSignal | undefined)[]): Halt {
  const over = new AbortController();
  let why: Halt["why"];
  const comes = new Promise<undefined>((resolve) => {
    const halt = (reason: NonNullable<Halt["why"]>) => {
      why ??= reason;
      resolve(undefined);
    };
    const timer = setTimeout(halt, timeoutMs, "timed_out");
    over.signal.addEventListener("abort", () => clearTimeout(timer));
    for (const signal of signals) {
      if (signal?.aborted) halt("aborted");
      signal?.addEventListener("abort", () => halt("aborted"), { signal: over.signal });
    }
  });
  return {
    get why() {
      return why;
    },
    comes,
    done: () => over.abort(),
  };
}
