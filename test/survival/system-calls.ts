import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Child } from "../children.ts";
import { startProcess } from "../children.ts";

/** A system call of a process: the `nth` of this name, from 1 on. */
export interface SystemCall {
  readonly name: string;
  readonly nth: number;
}

/** The calls that change a file, or make sure of it. */
export const WRITES = ["pwrite64", "write"];
export const SYNCS = ["fsync", "fdatasync"];
export const SHAPES = ["ftruncate", "fallocate", "unlink", "openat"];
/** The calls between them: locks, and the memory that processes share for the WAL's index. */
export const LOCKS = ["fcntl", "mmap"];
export const READS = ["pread64", "read"];

/** The files of the log of a project, and the folder, whose sync makes a new name last. */
export function filesOfLog(readModelPath: string): string[] {
  return [dirname(readModelPath), ...filesOfDatabase(join(dirname(readModelPath), "events.db"))];
}

/** The files of the read model. */
export function filesOfReadModel(readModelPath: string): string[] {
  return filesOfDatabase(readModelPath);
}

/**
 * Runs a script of node to its end and gives its calls of these names on these files, in order. It makes the same
 * ones again if it finds the same files again.
 */
export async function recordCalls(
  names: readonly string[],
  files: readonly string[],
  tracePath: string,
  script: readonly string[],
): Promise<SystemCall[]> {
  // With --seccomp-bpf the process stops at the traced calls only, which is faster.
  const child = startUnderStrace(["--seccomp-bpf", "-e", `trace=${names}`], files, tracePath, script);
  await child.finish();
  const counts = new Map<string, number>();
  return readFileSync(tracePath, "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, name] = /^\d+ +(\w+)\(/.exec(line) ?? [];
      if (name === undefined) return [];
      const nth = (counts.get(name) ?? 0) + 1;
      counts.set(name, nth);
      return [{ name, nth }];
    });
}

/** Runs a script of node that is killed as it enters a call: what it did before is done, the call is not. */
export function startKilledAt(
  { name, nth }: SystemCall,
  files: readonly string[],
  tracePath: string,
  script: readonly string[],
): Child {
  // Not with --seccomp-bpf, under which the signal is lost.
  const injection = ["-e", `trace=${name}`, "-e", `inject=${name}:signal=KILL:when=${nth}`];
  return startUnderStrace(injection, files, tracePath, script);
}

/** Runs a script of node whose calls fail with `error`, from this one on, `times` times. */
export function startFailingAt(
  { name, nth }: SystemCall,
  error: string,
  times: number,
  files: readonly string[],
  tracePath: string,
  script: readonly string[],
): Child {
  const injection = `inject=${name}:error=${error}:when=${nth}..${nth + times - 1}`;
  return startUnderStrace(
    ["--seccomp-bpf", "-e", `trace=${name}`, "-e", injection],
    files,
    tracePath,
    script,
  );
}

/** How many calls strace made fail. */
export function injectedIn(tracePath: string): number {
  return readFileSync(tracePath, "utf8").split("(INJECTED)").length - 1;
}

/** The place in a list of `length` for the `k`-th point: a few points are spread as evenly over it as many. */
export function spreadOver(length: number, k: number): number {
  return Math.floor(length * ((k * GOLDEN_RATIO + 0.5) % 1));
}

const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

function startUnderStrace(
  options: readonly string[],
  files: readonly string[],
  tracePath: string,
  script: readonly string[],
): Child {
  const paths = files.flatMap((file) => ["-P", file]);
  return startProcess("strace", ["-f", "-o", tracePath, ...options, ...paths, process.execPath, ...script]);
}

function filesOfDatabase(path: string): string[] {
  return ["", "-wal", "-shm", "-journal"].map((end) => `${path}${end}`);
}
