/** A command as a user or an agent would type it. It runs in the project's folder, in a process group of its own. */
export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the output acknowledges it, for a tool whose exit code does not say so. */
  readonly accepts?: (output: string) => boolean;
}

/** One operation: its commands, one after the other. It is acknowledged when all of them are. */
export type Operation = readonly Command[];

/** What a tracker lists of a task. */
export interface Task {
  readonly id: string;
  readonly title: string;
  readonly status: "open" | "taken" | "done";
}

/** One project of a tracker. A tool that has no such operation leaves it out. */
export interface Tracker {
  /** Makes the project in its empty folder. */
  setUp(): Promise<void>;
  add(title: string, body: string): Operation;
  /** A task that is done only if `command` passes. */
  addVerified?(title: string, command: string): Operation;
  /** True: any command, which runs in the project's folder when the task is reported done. */
  readonly runsCommands?: true;
  /** Adds a text to a task, and keeps the texts of others. */
  note?(id: string, text: string): Operation;
  /** Takes a task for an agent; refused if another agent has it. */
  claim?(id: string, agent: string): Operation;
  /** Starts a task, where the tool knows no claims. */
  start(id: string, agent: string): Operation;
  /** Frees the task of an agent that died, as the tool's docs say. */
  release(id: string, agent: string): Operation;
  /** Reports a started task as done, with all that the tool does to settle it. */
  done(id: string, agent: string): Operation;
  /** All tasks. @throws Error if the tool cannot read its data */
  list(): Promise<readonly Task[]>;
  /** All the texts of a task. @throws Error if the tool cannot read its data */
  show(id: string): Promise<string>;
}

export type CaseName =
  | "killed writers"
  | "power cuts"
  | "eight at once"
  | "double claims"
  | "false dones"
  | "liars"
  | "resume";

/** What the docs of a tool say of a case, as Markdown with links. */
interface Promised {
  readonly promised: boolean;
  readonly says: string;
}

/** A tool, and how each case is put to it. */
export interface Adapter {
  readonly name: string;
  readonly version: string;
  /** What it keeps, and by what way it is used here. */
  readonly about: string;
  /** What the scale is divided by, for a tool whose commands take seconds. */
  readonly slowness?: number;
  /** Pinned packages of npm. */
  readonly packages: Readonly<Record<string, string>>;
  /** Packages of npm to put in the place of others. */
  readonly overrides?: object;
  readonly docs: Readonly<Record<CaseName, Promised>>;
  /** @param installed the folder in which its packages are installed */
  open(folder: string, installed: string): Tracker;
}
