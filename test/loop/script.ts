/** What a stand-in agent does, one act after the other; it ends with 0 after the last. */
export type Act =
  /** Connects to our server and prints the init line; or says that it could not. */
  | { readonly init: "connected" | "failed" | "missing" }
  | { readonly call: string; readonly with?: Record<string, unknown> }
  /** Prints a line: an object as JSON, a string as it is. */
  | { readonly print: unknown }
  /** Prints a result line, `success` at a quarter of a dollar but for what is given. */
  | { readonly result: Record<string, unknown> }
  /** Prints on its standard error. */
  | { readonly say: string }
  | { readonly wait_ms: number }
  /** Waits until a file is there. */
  | { readonly until: string }
  /** Appends a line to a file. */
  | { readonly write: string; readonly text: string }
  /** Runs a command in the workspace, by a shell. */
  | { readonly shell: string }
  /** Leaves a process behind that holds its output open, and writes its number to a file. */
  | { readonly leave_child: string }
  /** Does not hear SIGTERM. */
  | { readonly deaf: true }
  | { readonly kill: NodeJS.Signals }
  | { readonly exit: number };

export interface Script {
  /** A file with a line for every agent that was started. */
  readonly journal: string;
  /** A folder with a file for every task that an agent is at work on; two at once are written down in `twice`. */
  readonly atWork: string;
  /** By task: the acts of its first session, of its second, … */
  readonly tasks: Readonly<Record<string, readonly (readonly Act[])[]>>;
  /** For tasks that have none of their own. */
  readonly others: readonly (readonly Act[])[];
}

/** A session that goes as it should. */
export const works = (summary = "Done as asked."): readonly Act[] => [
  { init: "connected" },
  { call: "done", with: { summary } },
  { result: {} },
];
