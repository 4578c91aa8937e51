import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
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

/** Starts the panel of a project, of the same copy. @returns the address that it prints, with the token */
export async function servePanel(readModel: string): Promise<{ address: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [program(), "serve", "--port", "0", "--db", readModel], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((end) => child.once("exit", () => end()));
  // A bench that fails must not leave it behind.
  process.once("exit", () => child.kill());
  for await (const line of createInterface(child.stdout)) {
    const address = /http:\S+/.exec(line)?.[0];
    if (address === undefined) continue;
    return {
      address,
      async stop() {
        child.kill("SIGTERM");
        await ended;
      },
    };
  }
  throw new Error("`signalbox serve` ended without an address.");
}

/** The path of that copy of the program. @throws Error if it was not built */
export function program(): string {
  if (!existsSync(join(import.meta.dirname, "program", "dist", "cli.js"))) {
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
export interface RunningServer {
  readonly pid: number;
  /** The result of `tools/list`. */
  readonly listing: unknown;
  call(call: { name: string; arguments: object }): Promise<unknown>;
  close(): Promise<void>;
}

/** Starts a server and asks for its tools, over pipes: a client of next to no cost. */
export async function openServer({ args, env, stateless = false }: Launch): Promise<RunningServer> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<void>((end) => child.once("exit", () => end()));
  const ask = requests(child, stateless ? { _meta: ENVELOPE } : {});
  if (stateless) await ask("server/discover", {});
  else {
    await ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: CLIENT });
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  }
  const listing = await ask("tools/list", {});
  return {
    pid: child.pid ?? 0,
    listing,
    call: (call) => ask("tools/call", call),
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

const CLIENT = { name: "bench", version: "0" };

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": CLIENT,
};

/** From the spawn of a node that does nothing to its end. */
export async function startNothing(): Promise<number> {
  const begin = performance.now();
  const child = spawn(process.execPath, ["-e", "0"], { stdio: "ignore" });
  await new Promise((end) => child.once("exit", end));
  return performance.now() - begin;
}

/** @param everywhere what is in the parameters of each request */
function requests(
  child: ChildProcess,
  everywhere: object,
): (method: string, params: object) => Promise<unknown> {
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error("The server was started without pipes.");
  const waiting = new Map<number, (answer: Answer | Error) => void>();
  let last = 0;
  createInterface({ input: stdout }).on("line", (line) => {
    const answer: Answer = JSON.parse(line);
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  child.once("exit", (code) => {
    for (const end of waiting.values()) end(new Error(`The server ended with ${code} before it answered.`));
  });
  return async (method, params) => {
    const id = ++last;
    const answered = new Promise<Answer>((resolve, reject) => {
      waiting.set(id, (answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
    });
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, ...everywhere } })}\n`);
    const { result, error } = await answered;
    if (error || (typeof result === "object" && result !== null && "isError" in result && result.isError)) {
      throw new Error(`${method} was refused: ${JSON.stringify(error ?? result)}`);
    }
    return result;
  };
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: unknown;
}
