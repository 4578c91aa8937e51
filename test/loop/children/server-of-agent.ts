import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/**
 * A stand-in's connection to its MCP server. What real clients do stands in test/mcp and test/clients, with the SDK's client and others:
 * to load that one would take longer than all else that a stand-in does.
 */
export class ServerOfAgent {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #requests = 0;

  private constructor(process: ChildProcess) {
    this.#process = process;
    // One that has ended reads nothing.
    process.stdin?.on("error", () => {});
    if (process.stdout) createInterface(process.stdout).on("line", (line) => this.#hear(JSON.parse(line)));
    process.once("close", () => {
      for (const answer of this.#waiting.values()) answer({ error: { message: "Connection closed" } });
    });
  }

  /** Starts a server by an entry of `mcpServers`. */
  static async connect(
    { command, args, env }: { command: string; args: string[]; env: Record<string, string> },
    name: string,
  ): Promise<ServerOfAgent> {
    const server = new ServerOfAgent(spawn(command, args, { env, stdio: ["pipe", "pipe", "inherit"] }));
    const clientInfo = { name, version: "1" };
    await server.#ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    server.#send({ method: "notifications/initialized" });
    return server;
  }

  /** @throws Error where the server answers with an error of the protocol, or has ended */
  async callTool(call: object): Promise<{ content?: unknown }> {
    return this.#ask("tools/call", call);
  }

  async close(): Promise<void> {
    const { exitCode, signalCode } = this.#process;
    if (exitCode !== null || signalCode !== null) return;
    this.#process.stdin?.end();
    await once(this.#process, "close");
  }

  async #ask(method: string, params: object): Promise<{ content?: unknown }> {
    this.#requests += 1;
    const id = this.#requests;
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.#send({ id, method, params });
    const { result, error } = await answered;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  }

  #send(message: object): void {
    this.#process.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  #hear({ id, ...answer }: Answer & { id?: number }): void {
    if (id === undefined) return;
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }
}

interface Answer {
  readonly result?: { content?: unknown };
  readonly error?: { message: string };
}
