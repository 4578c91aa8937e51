import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Command } from "commander";
import { printJsonLine } from "../../terminal/output.ts";

/**
 * The agent `pretend`: no model, and no work done. It reports as an agent does, so that a loop can be tried before it costs
 * anything: it asks one question where the task's title ends with a question mark and nobody has answered yet.
 */
export function addPretend(program: Command): void {
  program
    .command("pretend", { hidden: true })
    .description("act as a pretend agent, for `signalbox run --agent pretend`")
    .argument("<mcp-config>", "the MCP configuration file")
    .addHelpText("after", "\nExample:\n  signalbox run --agent pretend")
    .action(async (mcpConfig: string) =>
      pretend(JSON.parse(readFileSync(mcpConfig, "utf8")).mcpServers.ralph, await text(process.stdin)),
    );
}

async function pretend(server: Server, prompt: string): Promise<void> {
  // Loaded by no other command.
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const client = new Client({ name: "pretend", version: "1" });
  await client.connect(await transportTo(server));
  say({ type: "system", subtype: "init", mcp_servers: [{ name: "ralph", status: "connected" }] });
  await delay(THINKING_MS);
  const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });

  const title = /^\| (.+)$/m.exec(prompt.slice(prompt.indexOf("# Your task")))?.[1] ?? "the task";
  await call("update_session_state", { sessionId: process.env.RALPH_SESSION_ID, state: "implementing" });
  if (title.endsWith("?") && !/^\| ANSWER to your question /m.test(prompt)) {
    await call("ask", { question: title, blocking: true, options: ["yes", "no"], preferred: "yes" });
    await call("partial", { summary: "Pretended to begin.", remaining: "What the answer decides." });
  } else {
    await call("learned", { text: `There is a task "${title}".`, kind: "discovery" });
    await call("done", { summary: `Pretended to do it: ${title}` });
  }
  await client.close();
  say({
    type: "result",
    subtype: "success",
    is_error: false,
    num_turns: 1,
    result: "Pretended.",
    total_cost_usd: 0,
    usage: {},
  });
}

type Server =
  | { readonly command: string; readonly args: string[]; readonly env: Record<string, string> }
  | { readonly url: string; readonly headers?: Record<string, string> };

async function transportTo(server: Server): Promise<Transport> {
  if ("url" in server) {
    const { StreamableHTTPClientTransport } = await import(
      "@modelcontextprotocol/sdk/client/streamableHttp.js"
    );
    const { url, headers = {} } = server;
    // The SDK's own types differ under exactOptionalPropertyTypes.
    return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as Transport;
  }
  const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
  const env = { PATH: process.env.PATH ?? "", ...server.env };
  return new StdioClientTransport({ command: server.command, args: server.args, env });
}

/** As a model would, before it does anything. */
const THINKING_MS = 1_000;

function say(line: unknown): void {
  printJsonLine(line);
}
