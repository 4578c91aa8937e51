import { once } from "node:events";
import { stateVariables } from "../../src/config/state-folder.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { type Child, startProcess } from "../children.ts";

/** Starts the built program, to be ended at some moment; `env` is added to this process's environment. */
export function startSignalbox(args: readonly string[], env: Readonly<Record<string, string>> = {}): Child {
  // env(1) becomes the program: the process number stays.
  const variables = Object.entries({ ...stateVariables(process.env), ...env }).map(
    ([name, value]) => `${name}=${value}`,
  );
  return startProcess("env", [...variables, process.execPath, packagePath("bin/signalbox.js"), ...args]);
}

/** The server of a session, as an agent's client starts it. */
export function startServer(db: string, session: string, task = 1): Child {
  return startSignalbox(["mcp"], {
    RALPH_TASK_ID: String(task),
    RALPH_SESSION_ID: session,
    RALPH_DB_PATH: db,
  });
}

export interface Ended {
  /** What it printed, from now on; the last line may be cut off. */
  readonly lines: readonly string[];
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Waits until a process has come to its end, whichever. */
export async function endOf(
  { process, lines }: Child,
  heard: (line: string) => void = () => {},
): Promise<Ended> {
  const all: string[] = [];
  for await (const line of lines) {
    all.push(line);
    heard(line);
  }
  if (process.exitCode === null && process.signalCode === null) await once(process, "exit");
  return { lines: all, exitCode: process.exitCode, signal: process.signalCode };
}

const request = (id: number, method: string, params: object) => ({ jsonrpc: "2.0", id, method, params });

/** What a client says first; the answer has the id 0. */
export const HELLO: readonly object[] = [
  request(0, "initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  }),
  { jsonrpc: "2.0", method: "notifications/initialized" },
];

/** A call of a tool; its event's id follows from the session and `use-ID`. */
export function call(id: number, name: string, args: object): object {
  const _meta = { "claudecode/toolUseId": toolUse(id) };
  return request(id, "tools/call", { name, arguments: args, _meta });
}

export function toolUse(id: number): string {
  return `use-${id}`;
}

/** What a server answers to a call. */
export interface ToolAnswer {
  readonly id: number;
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: { readonly position?: number };
    readonly content?: readonly { readonly text: string }[];
  };
}

/** A line of a server's output; undefined if it was cut off. */
export function parseAnswer(line: string): ToolAnswer | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
