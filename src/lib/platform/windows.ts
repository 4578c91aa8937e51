import { type ChildProcess, type SpawnOptions, spawn as spawnHere } from "node:child_process";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { win32 } from "node:path";
import type { Platform, Program } from "./platform.ts";
import { type Run, run as runHere } from "./run.ts";
import { LAUNCH, launcher, powershellArguments } from "./windows-launcher.ts";
import { processesBy } from "./windows-processes.ts";
import { programsBy } from "./windows-programs.ts";
import { quoted } from "./windows-words.ts";

/** What Windows is asked by; a test gives its own. */
interface Ways {
  readonly run: Run;
  readonly spawn: (file: string, args: readonly string[], options: SpawnOptions) => ChildProcess;
  readonly exists: (path: string) => boolean;
  readonly variables: NodeJS.ProcessEnv;
}

/**
 * Windows: no process groups and no signals. A group is a job object, which ends with the PowerShell that made it
 * (`windows-launcher.ts`); `taskkill` ends that.
 */
export function windows(ways: Partial<Ways> = {}): Platform {
  const { run, spawn, exists, variables }: Ways = {
    run: runHere,
    spawn: spawnHere,
    exists: existsSync,
    variables: process.env,
    ...ways,
  };
  const system = win32.join(variables.SystemRoot ?? "C:\\Windows", "System32");
  const powershell = win32.join(system, "WindowsPowerShell", "v1.0", "powershell.exe");
  const programs = programsBy({ exists, variables, powershell });

  function start(program: Program): ChildProcess {
    const { file, args, windowsVerbatimArguments } = programs.line(
      program.file,
      program.args,
      program.environment,
    );
    const { RALPH_SESSION_ID: session } = program.environment;
    const script = launcher(session === undefined ? {} : { RALPH_SESSION_ID: session });
    return spawn(powershell, powershellArguments(script), {
      cwd: program.folder,
      env: {
        ...program.environment,
        [LAUNCH.file]: file,
        [LAUNCH.arguments]: (windowsVerbatimArguments ? args : args.map(quoted)).join(" "),
        ...(program.inputFile !== undefined && { [LAUNCH.inputFile]: program.inputFile }),
        ...(program.pidFile !== undefined && { [LAUNCH.pidFile]: program.pidFile }),
      },
      // A console of its own, which no Ctrl-C of ours reaches. Not detached: so Node ends it with this process, however that ends.
      windowsHide: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  return {
    system: "win32",
    isolates: false,
    hasModes: false,
    networkFileSystem: () => undefined,
    processes: processesBy((script) => run(powershell, powershellArguments(script))),
    groups: {
      endWithLeader: true,
      start,
      signal(group) {
        try {
          run(win32.join(system, "taskkill.exe"), ["/PID", String(group), "/T", "/F"]);
        } catch {
          // It is gone.
        }
      },
      isThere,
      hasMembers: isThere,
    },
    programs,
    files: {
      replace,
      replacesOpen: false,
      sync,
      // Symbolic links need a right that users do not have.
      link: (target, path) =>
        statSync(target).isDirectory() ? symlinkSync(target, path, "junction") : linkSync(target, path),
    },
    sockets: {
      folder: tmpdir(),
      limit_bytes: 256,
      address: (path) => `${PIPES}${win32.basename(path)}`,
      isSocket: (path) => path.startsWith(PIPES),
    },
  };
}

const PIPES = "\\\\.\\pipe\\";

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Tries again for a second, since a file cannot be replaced while a program reads it. */
function replace(from: string, to: string): void {
  for (let tries = 0; ; tries++) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (tries >= MOST_TRIES || !IN_USE.has(code)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}

const IN_USE: ReadonlySet<string> = new Set(["EPERM", "EACCES", "EBUSY"]);
const MOST_TRIES = 50;
const PAUSE_MS = 20;

/** The names in a folder are durable by NTFS's journal; only a file that may be written can be synced. */
function sync(path: string): void {
  if (statSync(path).isDirectory()) return;
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
