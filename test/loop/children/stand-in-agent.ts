import { execFileSync, spawn } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Act, Script } from "../script.ts";
import { ServerOfAgent } from "./server-of-agent.ts";

/*
 * stand-in-agent <scripts.json> <mcp.json>: stands for a coding agent. It speaks Claude Code's stream-json and calls the real MCP
 * server by the configuration that it is given, as the script of its task says: the first session takes the task's first
 * list of acts, the second the second, the last one again where there are no more.
 */
const [scriptsPath = "", mcpConfig = ""] = process.argv.slice(2);
const task = process.env.RALPH_TASK_ID ?? "";
const session = process.env.RALPH_SESSION_ID ?? "";
const script: Script = JSON.parse(readFileSync(scriptsPath, "utf8"));
beAlone();
appendFileSync(script.journal, `${JSON.stringify({ task: Number(task), session, pid: process.pid })}\n`);
const runs = readFileSync(script.journal, "utf8")
  .split("\n")
  .filter((line) => line !== "" && JSON.parse(line).task === Number(task)).length;
const sessions = script.tasks[task] ?? script.others;
const acts: readonly Act[] = sessions[Math.min(runs, sessions.length) - 1] ?? [];

const COST = { total_cost_usd: 0.25, usage: { input_tokens: 300, output_tokens: 60 } };
let server: ServerOfAgent | undefined;
let calls = 0;
let edits = 0;
for (const act of acts) await perform(act);
await server?.close();

/** Writes it down where another agent is at work on the same task. */
function beAlone(): void {
  mkdirSync(script.atWork, { recursive: true });
  const own = join(script.atWork, task);
  const other = existsSync(own) ? Number(readFileSync(own, "utf8")) : 0;
  if (other > 0 && isRunning(other)) {
    appendFileSync(join(script.atWork, "twice"), `task ${task}: ${other} and ${process.pid}, ${session}\n`);
  }
  writeFileSync(own, String(process.pid));
  process.on("exit", () => rmSync(own, { force: true }));
}

/** A process that is dead and waits to be collected does not count. */
function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

async function perform(act: Act): Promise<void> {
  if ("print" in act) printLine(act.print);
  else if ("init" in act) await init(act.init);
  else if ("call" in act) await call(act.call, act.with);
  else if ("wait_ms" in act) await delay(act.wait_ms);
  else if ("write" in act) {
    edits += 1;
    const block = { type: "tool_use", name: "Edit", input: { file_path: act.write } };
    printLine({ type: "assistant", message: { id: `edit_${edits}`, content: [block] } });
    appendFileSync(act.write, `${act.text}\n`);
  } else if ("shell" in act) execFileSync("sh", ["-c", act.shell], { stdio: "ignore" });
  else if ("until" in act) while (!existsSync(act.until)) await delay(20);
  else if ("leave_child" in act) {
    const child = spawn("sleep", ["600"], { stdio: "inherit" });
    child.unref();
    appendFileSync(act.leave_child, `${child.pid}\n`);
  } else if ("deaf" in act) process.on("SIGTERM", () => {});
  else if ("kill" in act) process.kill(process.pid, act.kill);
  else if ("say" in act) writeSync(2, `${act.say}\n`);
  else if ("result" in act) {
    printLine({
      type: "result",
      subtype: "success",
      is_error: false,
      num_turns: calls,
      ...COST,
      ...act.result,
    });
  } else {
    await server?.close();
    process.exit(act.exit);
  }
}

/** Connects to our server as a client does, and says what it works with. */
async function init(how: "connected" | "failed" | "missing"): Promise<void> {
  if (how === "connected") {
    const { ralph } = JSON.parse(readFileSync(mcpConfig, "utf8")).mcpServers;
    const env = { PATH: process.env.PATH ?? "", ...ralph.env };
    server = await ServerOfAgent.connect({ ...ralph, env }, "stand-in");
  }
  const servers = how === "missing" ? [] : [{ name: "ralph", status: how }];
  printLine({
    type: "system",
    subtype: "init",
    session_id: session.slice(2),
    model: "stand-in-1",
    mcp_servers: servers,
  });
}

async function call(name: string, args: Record<string, unknown> = {}): Promise<void> {
  calls += 1;
  const usage = {
    input_tokens: 100,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 50,
    output_tokens: 20,
  };
  printLine({
    type: "assistant",
    message: {
      id: `msg_${calls}`,
      usage,
      content: [{ type: "tool_use", name: `mcp__ralph__${name}`, input: args }],
    },
  });
  const answer = await server?.callTool({
    name,
    arguments: args,
    _meta: { "claudecode/toolUseId": `toolu_${calls}` },
  });
  printLine({ type: "user", message: { content: answer?.content ?? [] } });
}

function printLine(value: unknown): void {
  writeSync(1, `${typeof value === "string" ? value : JSON.stringify(value)}\n`);
}
