import type { ChildProcess } from "node:child_process";

/**
 * What differs between operating systems, and nothing else. `linux.ts`, `darwin.ts` and `windows.ts` implement it, `here.ts`
 * chooses; docs/platforms.md tells users the differences.
 */
export interface Platform {
  readonly system: "linux" | "darwin" | "win32";
  /** Whether the kernel has namespaces, of which isolation of gates and sandboxes are made. */
  readonly isolates: boolean;
  /** Whether files have owners, groups and permission bits. */
  readonly hasModes: boolean;
  /** The network file system with this number of statfs; null: it is none; undefined: the system does not tell. */
  networkFileSystem(type: number): string | null | undefined;
  readonly processes: Processes;
  readonly groups: Groups;
  readonly programs: Programs;
  readonly files: Files;
  readonly sockets: Sockets;
}

/** What the system says of a process. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** 0: unknown. */
  readonly group: number;
  /** 0: unknown. */
  readonly session: number;
  /** Of its program: perhaps cut off, and whatever the process says of itself. */
  readonly name: string;
  /** The terminal that it belongs to, such as `pts/3`; absent: none, or the system does not tell. */
  readonly tty?: string;
  /** A number that grows with time. With the pid it tells one process from every other of this boot. */
  readonly began: string;
  /** Gone, but for its parent to be told. */
  readonly ended: boolean;
}

interface Processes {
  /** Every running process; empty if the system does not list them. */
  table(): ProcessEntry[];
  /** One process; undefined where it is gone, or the system does not tell. */
  entry(pid: number): ProcessEntry | undefined;
  /**
   * Finds the value of a variable in the environment that a process was started with; undefined where it is absent or not ours to
   * read. For one look: call it again for what has changed since.
   */
  variables(name: string): (pid: number) => string | undefined;
  /** Names this boot; undefined if the system does not tell. */
  boot(): string | undefined;
  /** Names the namespace in which process numbers count, such as `pid:[4026531836]`; undefined if there are none. */
  namespace(): string | undefined;
}

/** A program with all that it starts: a process group, or a job object. */
interface Groups {
  /** Whether the system ends a whole group with its leader (job objects), so that nothing has to be looked for. */
  readonly endWithLeader: boolean;
  /** Starts a program as the leader of a new group, away from this terminal's Ctrl-C. The pid is the group's number. */
  start(program: Program): ChildProcess;
  /** Sends a signal to all of a group; does nothing where it is gone. */
  signal(group: number, name: NodeJS.Signals): void;
  /** Whether a group has processes, ended ones included. */
  isThere(group: number): boolean;
  /** Whether a group has processes that have not ended. */
  hasMembers(group: number): boolean;
}

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The file for its standard input, which is empty if absent. */
  readonly inputFile?: string | undefined;
  /** Gets the group's number before the program begins, so that no program can run that nobody could find. */
  readonly pidFile?: string | undefined;
}

interface Programs {
  /** What runs a command, which follows as the last argument, if no other shell is configured. */
  shell(): readonly string[];
  /** How a program is started without a shell of ours. @param file as `find` gives it, or a name on PATH */
  line(file: string, args: readonly string[], environment?: NodeJS.ProcessEnv): SpawnLine;
  /** The files that a path without an extension may mean, the first one first. */
  files(path: string): readonly string[];
  /** Whether it is a path, not a name to find on PATH. */
  isPath(program: string): boolean;
  /** Variables that every program needs here, besides those of all systems. */
  readonly variables: readonly string[];
  /** The form in which names of variables are compared. */
  variableKey(name: string): string;
}

export interface SpawnLine {
  readonly file: string;
  readonly args: string[];
  /** The arguments are quoted already. */
  readonly windowsVerbatimArguments?: true;
}

interface Files {
  /** Renames a file over another one, even while somebody reads that. @throws Error from the system */
  replace(from: string, to: string): void;
  /** Whether a file that this process has open can be replaced. */
  readonly replacesOpen: boolean;
  /** Makes the content of a file durable; of a folder, its names, where that is needed. @throws Error from the system */
  sync(path: string): void;
  /** Makes `path` another name of a file or a folder. @throws Error from the system */
  link(target: string, path: string): void;
}

interface Sockets {
  /** Where local sockets go if nothing else is configured: a short path. */
  readonly folder: string;
  /** The longest path of a socket, in bytes. */
  readonly limit_bytes: number;
  /** The address of a socket that belongs at this path. */
  address(path: string): string;
  /** Whether the path of an existing thing is a socket's. @throws Error from the system */
  isSocket(path: string): boolean;
}
