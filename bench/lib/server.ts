import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { stateVariables } from "../../src/config/state-folder.ts";
import { runVariables } from "./apart.ts";
import { type Answer, type Connection, type OpenClient, openClient } from "./client.ts";
import { installedFile } from "./installed.ts";

/** How a server is started: arguments of node, its environment beyond PATH, and its working directory. */
export interface Launch {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** `ignore` for a server that greets there; else it is shown. */
  readonly stderr?: "ignore";
  /** Its client speaks MCP 2026-07-28, in which each request says all about itself; else it initializes. */
  readonly stateless?: boolean;
}

/** The program as users start it, in the copy that run.mjs has made of it. @throws Error if it was not built */
export function signalboxMcp(env: Readonly<Record<string, string>>): Launch {
  return { args: [program(), "mcp"], env };
}

/** A server of the same copy that has printed its address. */
export interface Serving {
  readonly pid: number;
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts the panel of a project; its address has the token. */
export function servePanel(readModel: string): Promise<Serving> {
  return serve(["serve", "--port", "0", "--db", readModel]);
}

/** Starts a project's server of all sessions over HTTP. */
export function serveMcp(readModel: string): Promise<Serving> {
  return serve(["mcp", "--http", "--port", "0", "--db", readModel]);
}

async function serve(args: readonly string[]): Promise<Serving> {
  const child = spawn(process.execPath, [program(), ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<void>((end) => child.once("exit", () => end()));
  // A bench that fails must not leave it behind.
  process.once("exit", () => child.kill());
  for await (const line of createInterface(child.stdout)) {
    const address = /http:\S+/.exec(line)?.[0];
    if (address === undefined) continue;
    return {
      pid: child.pid ?? 0,
      address,
      async stop() {
        child.kill("SIGTERM");
        await ended;
      },
    };
  }
  throw new Error(`\`signalbox ${args[0]}\` ended without an address.`);
}

/** The path of that copy of the program. @throws Error if it was not built */
export function program(): string {
  if (!existsSync(join(import.meta.dirname, "program", "dist", "cli.cjs"))) {
    throw new Error("There is no dist/; run `npm run build` first.");
  }
  return join(import.meta.dirname, "program", "bin", "signalbox.js");
}

/** A bundled server of bench/servers, as run.mjs has built it. */
export function bareServer(
  name: "bare-insert" | "bare-stateless" | "bare-tools",
  env: Readonly<Record<string, string>> = {},
): Launch {
  return { args: [join(import.meta.dirname, `${name}.mjs`)], env };
}

export const SWARM_PLUGIN = "opencode-swarm-plugin";

/** The MCP server of opencode-swarm-plugin; its database and sessions lie in the home folder that it is given. */
export function swarmPlugin(home: string): Launch {
  const root = installedFile(SWARM_PLUGIN, "claude-plugin");
  return {
    args: [join(root, "bin", "swarm-mcp-server.cjs")],
    // Without a session of its own, each call is a session.
    env: { HOME: home, TMPDIR: home, CLAUDE_PLUGIN_ROOT: root, CLAUDE_SESSION_ID: "bench" },
    cwd: home,
    stderr: "ignore",
  };
}

export interface Started {
  /** From the spawn to the answer of `tools/list`. */
  readonly listed_ms: number;
  /** From the spawn to the answer of the call after that, if there is one. */
  readonly called_ms: number;
  /** The result of `tools/list`. */
  readonly listing: unknown;
}

/** Starts a server, asks for its tools, makes one call if there is one to make, and ends it. */
export async function startServer(
  launch: Launch,
  call?: { name: string; arguments: object },
): Promise<Started> {
  const begin = performance.now();
  const server = await openServer(launch);
  const listed_ms = performance.now() - begin;
  if (call) await server.call(call);
  const called_ms = performance.now() - begin;
  await server.close();
  return { listed_ms, called_ms, listing: server.listing };
}

/** A server that has answered `tools/list`. */
export interface RunningServer extends OpenClient {
  readonly pid: number;
  close(): Promise<void>;
}

/** Starts a server and asks for its tools, over pipes: a client of next to no cost. */
export async function openServer({ args, env, stateless = false }: Launch): Promise<RunningServer> {
  const child = spawn(process.execPath, args, {
    // Where the log is known (docs/trust.md).
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...runVariables(),
      ...stateVariables(process.env),
      ...env,
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<void>((end) => child.once("exit", () => end()));
  const ask = requests(child);
  return {
    pid: child.pid ?? 0,
    ...(await openClient(
      { ask, tell: (message) => child.stdin.write(`${JSON.stringify(message)}\n`) },
      stateless,
    )),
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

/** From the spawn of a node that does nothing to its end. */
export async function startNothing(): Promise<number> {
  const begin = performance.now();
  const child = spawn(process.execPath, ["-e", "0"], { stdio: "ignore" });
  await new Promise((end) => child.once("exit", end));
  return performance.now() - begin;
}

function requests(child: ChildProcess): Connection["ask"] {
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error("The server was started without pipes.");
  const waiting = new Map<number, (answer: Answer | Error) => void>();
  createInterface({ input: stdout }).on("line", (line) => {
    const answer: Answer = JSON.parse(line);
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  child.once("exit", (code) => {
    for (const end of waiting.values()) end(new Error(`The server ended with ${code} before it answered.`));
  });
  return (request) =>
    new Promise((resolve, reject) => {
      waiting.set(request.id, (answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
      stdin.write(`${JSON.stringify(request)}\n`);
    });
}
