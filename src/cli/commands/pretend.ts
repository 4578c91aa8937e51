import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Command } from "commander";
import { printJsonLine } from "../../lib/terminal/output.ts";
import { type Act, actsFor, editFile, readPlay } from "../running/pretend-play.ts";

/**
 * The agent `pretend`: no model, and no work done. It reports as an agent does, so that a loop can be tried before it costs
 * anything: it asks one question where the task's title ends with a question mark and nobody has answered yet. With a
 * play it does what that says.
 */
export function addPretend(program: Command): void {
  program
    .command("pretend", { hidden: true })
    .description("act as a pretend agent, for `signalbox run --agent pretend`")
    .argument("<mcp-config>", "the MCP configuration file")
    .option("--play <file>", "the edits and tool calls of each session, in JSON")
    .addHelpText("after", "\nExample:\n  signalbox run --agent pretend")
    .action(async (mcpConfig: string, { play }: { play?: string }) =>
      pretend(
        JSON.parse(readFileSync(mcpConfig, "utf8")).mcpServers.ralph,
        await text(process.stdin),
        play === undefined ? [] : readPlay(play),
      ),
    );
}

async function pretend(server: Server, prompt: string, play: ReturnType<typeof readPlay>): Promise<void> {
  // Loaded by no other command.
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const client = new Client({ name: "pretend", version: "1" });
  await client.connect(await transportTo(server));
  say({ type: "system", subtype: "init", mcp_servers: [{ name: "ralph", status: "connected" }] });
  await delay(THINKING_MS);

  if (prompt.includes(PLANNING))
    for (const act of plannedActs(prompt)) await client.callTool({ name: act.call, arguments: act.with });
  else await work(client, prompt, play);
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

/** The heading of a planning session's text. */
const PLANNING = "\n# What is to be planned\n";

/** Each line of a checklist becomes a task, done one after the other where it is numbered. */
function plannedActs(prompt: string): Extract<Act, { call: string }>[] {
  const said = prompt.slice(prompt.indexOf(PLANNING));
  const feature = /^Make its tasks of the feature `(.+)`\.$/m.exec(said)?.[1] ?? "general";
  const lines = [...said.matchAll(/^\| \s*(?:[-*+]|\d+[.)])\s+(?:\[[ x]\]\s+)?(.+)$/gm)].map(
    ([, line = ""]) => line.trim(),
  );
  return lines.map((title) => ({
    call: "create_task",
    with: {
      feature,
      discipline: "general",
      title,
      priority: "medium",
      acceptance_criteria: [`${title}: as the text says.`],
    },
  }));
}

async function work(client: Client, prompt: string, play: ReturnType<typeof readPlay>): Promise<void> {
  const title = /^[|>] (.+)$/m.exec(prompt.slice(prompt.indexOf("# Your task")))?.[1] ?? "the task";
  const answered = /^\| ANSWER to your question /m.test(prompt);
  const begin = {
    call: "update_session_state",
    with: { sessionId: process.env.RALPH_SESSION_ID, state: "implementing" },
  };
  for (const act of [begin, ...(actsFor(play, title, answered) ?? usualActs(title, answered))]) {
    if ("call" in act) await client.callTool({ name: act.call, arguments: act.with });
    else editFile(act);
  }
}

function usualActs(title: string, answered: boolean): Act[] {
  if (title.endsWith("?") && !answered)
    return [
      { call: "ask", with: { question: title, blocking: true, options: ["yes", "no"], preferred: "yes" } },
      { call: "partial", with: { summary: "Pretended to begin.", remaining: "What the answer decides." } },
    ];
  return [
    { call: "learned", with: { text: `There is a task "${title}".`, kind: "discovery" } },
    { call: "done", with: { summary: `Pretended to do it: ${title}` } },
  ];
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
