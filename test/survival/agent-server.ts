import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { stateVariables } from "../../src/config/state-folder.ts";
import { packagePath } from "../../src/lib/package-root.ts";

/** A `signalbox mcp` process of its own that is spoken to byte by byte. */
export interface AgentServer {
  readonly process: ChildProcessWithoutNullStreams;
  /** What it has written so far, a parsed line each, in order. */
  readonly answers: readonly Answer[];
  /** Lines of stdout that are no JSON. */
  readonly rubbish: readonly string[];
  /** What it has written to stderr. */
  complaints(): string;
  /** Writes as fast as the server takes it in. Resolves early when the server has gone. */
  write(bytes: Buffer | string): Promise<void>;
  /** Resolves when the request with this id is answered. @throws if the server ends before */
  answered(id: RequestId): Promise<Answer>;
  /** Resolves to its exit code when it has ended and all of its output has come. */
  readonly closed: Promise<number | null>;
}

export type RequestId = string | number;

/** A line of the server's stdout. */
export interface Answer {
  readonly jsonrpc?: unknown;
  readonly id?: RequestId | null;
  /** Of what the server asks or tells by itself. */
  readonly method?: string;
  readonly result?: {
    readonly isError?: boolean;
    readonly content?: readonly { readonly text: string }[];
    readonly structuredContent?: Readonly<Record<string, unknown>>;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

export interface Launch {
  readonly task: number;
  readonly session: string;
  readonly db: string;
  /** Another program than this package's, such as a copy's. */
  readonly program?: string;
  /** The path of a context.json, which names another session; absent: the recipe `signals`. */
  readonly context?: string;
}

/** Starts a server and initializes it; the initialize request has the id "hello". Whoever starts it ends it. */
export async function startServer(launch: Launch): Promise<AgentServer> {
  const server = spawnServer(launch);
  await server.write(
    [
      { jsonrpc: "2.0", id: "hello", method: "initialize", params: HELLO },
      { jsonrpc: "2.0", method: "notifications/initialized" },
    ]
      .map((message) => `${JSON.stringify(message)}\n`)
      .join(""),
  );
  await server.answered("hello");
  return server;
}

/** Starts a server that has heard nothing yet. Whoever starts it ends it. */
export function spawnServer({
  task,
  session,
  db,
  program = packagePath("bin/signalbox.js"),
  context,
}: Launch): AgentServer {
  const child = spawn(process.execPath, [program, "mcp"], {
    env: {
      PATH: process.env.PATH ?? "",
      ...stateVariables(process.env),
      RALPH_DB_PATH: db,
      ...(context === undefined
        ? { RALPH_TASK_ID: `${task}`, RALPH_SESSION_ID: session }
        : { RALPH_CONTEXT: context }),
    },
  });
  return listen(child);
}

const HELLO = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

/** After so long without an answer there will be none; not a promise about time. */
const PATIENCE_MS = 60_000;

function listen(child: ChildProcessWithoutNullStreams): AgentServer {
  const answers: Answer[] = [];
  const rubbish: string[] = [];
  const waiting = new Map<RequestId, { resolve(answer: Answer): void; reject(error: Error): void }>();
  const byId = new Map<RequestId, Answer>();
  let complaints = "";
  let begun = "";

  function take(line: string): void {
    let answer: Answer;
    try {
      answer = JSON.parse(line);
    } catch {
      rubbish.push(line);
      return;
    }
    answers.push(answer);
    if (typeof answer.id !== "string" && typeof answer.id !== "number") return;
    byId.set(answer.id, answer);
    waiting.get(answer.id)?.resolve(answer);
  }

  // Not node:readline: it also ends a line at U+2028, which JSON may hold as it is.
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (begun + text).split("\n");
    begun = lines.pop() ?? "";
    for (const line of lines) take(line);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  child.stdin.on("error", () => {});
  const closed = once(child, "close").then(([code]) => {
    for (const { reject } of waiting.values()) reject(new Error(`The server ended (${code}): ${complaints}`));
    return code;
  });
  return {
    process: child,
    answers,
    rubbish,
    complaints: () => complaints,
    closed,
    async write(bytes) {
      if (child.stdin.writable && !child.stdin.write(bytes)) {
        // A server that has gone takes nothing more; what came of it is seen in its answers.
        await Promise.race([once(child.stdin, "drain"), closed]).catch(() => {});
      }
    },
    answered(id) {
      const answer = byId.get(id);
      if (answer) return Promise.resolve(answer);
      return new Promise((resolve, reject) => {
        const patience = setTimeout(() => reject(new Error(`${id} is not answered`)), PATIENCE_MS);
        const settle = () => {
          clearTimeout(patience);
          waiting.delete(id);
        };
        waiting.set(id, {
          resolve: (found) => {
            settle();
            resolve(found);
          },
          reject: (error) => {
            settle();
            reject(error);
          },
        });
      });
    },
  };
}

/** Sizes in MB: what a process has in memory now, and the most that it ever had. */
export function memoryOf(process_: { readonly pid?: number | undefined }): { now: number; most: number } {
  const status = readFileSync(`/proc/${process_.pid}/status`, "utf8");
  const size = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1_024;
  return { now: size("VmRSS"), most: size("VmHWM") };
}

/** User and system time that a process has used so far, in seconds. */
export function processorTimeOf(process_: { readonly pid?: number | undefined }): number {
  // The name in brackets may hold blanks; the fields are counted after it (proc_pid_stat(5): 14 and 15, in ticks of 10 ms).
  const stat = readFileSync(`/proc/${process_.pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
