import { mkdirSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { initProject } from "../../src/api/project.ts";
import { stateVariables } from "../../src/config/state-folder.ts";
import type { Bench, Context } from "../lib/bench.ts";
import { fineCpuOf } from "../lib/fine-cpu.ts";
import { atMost, type Goal } from "../lib/goals.ts";
import { isInstalled } from "../lib/installed.ts";
import { type Contestant, median, type Race, race, type Times } from "../lib/measure.ts";
import { addSession, flagArguments, learnedArguments } from "../lib/project.ts";
import { formatRatio, formatTime, TIMES_COLUMNS, timesRows } from "../lib/report.ts";
import type { Scratch } from "../lib/scratch.ts";
import { bareServer, type Launch, SWARM_PLUGIN, signalboxMcp, swarmPlugin } from "../lib/server.ts";
import { countSystemCalls, describeSyncs } from "../lib/syncs.ts";

const PAUSE_MS = 5;
const BLOCK = 25;
/** Enough for V8 to have compiled what it will. */
const WARM_UP = 1_000;
const COUNTED = 25;
const CPU_CALLS = 200;

export const stdio: Bench = {
  name: "stdio",
  async run(context) {
    const { quick } = context;
    const plan = {
      rounds: quick ? 1 : 3,
      turns: quick ? 4 : 12,
      warmUp: (quick ? 100 : WARM_UP) / BLOCK,
      block: BLOCK,
    };
    const atOnce = await race(plan, () => openRace(context, " (at once)"));
    const rested = await race({ ...plan, pause_ms: PAUSE_MS }, () => openRace(context, " (rested)"));
    const costs = await costEach(context);
    const calls = plan.turns * BLOCK;
    const swarm = isInstalled(SWARM_PLUGIN)
      ? "opencode-swarm-plugin is its MCP server as published, sending a message to one agent, with its 117 tools."
      : "opencode-swarm-plugin is not installed (`npm ci --prefix bench`).";
    return {
      title: "A verb over stdio, from call to answer",
      how: `Calls in blocks of ${BLOCK} by turns, ${plan.rounds} rounds with new servers and files, each after ${plan.warmUp * BLOCK} calls to warm up: ${calls} of each at once after another, and ${calls} of each with ${PAUSE_MS} ms before each call, so that the work behind an answer is over. \`done\` and \`update_session_state\` look at the read model for their answer. The server that never syncs is the bare one with synchronous OFF. ${swarm} CPU is that of the server over ${CPU_CALLS} calls. Syncs and system calls are counted by strace in a run of its own, of ${COUNTED} calls, too few for a checkpoint of a log; those of \`-wal\` are commits.`,
      columns: [...TIMES_COLUMNS, "CPU a call", "system calls", "fsyncs a call"],
      rows: [...timesRows(atOnce), ...timesRows(rested)].map((row, index) => [
        ...row,
        ...(costs[index % costs.length] ?? []),
      ]),
      goals: [atOnce, rested].flatMap((times) =>
        times.filter(({ name }) => isVerb(name)).map((verb) => goalOf(verb, times[0])),
      ),
    };
  },
};

const VERBS = ["flag", "learned", "done", "update_session_state"];

function isVerb(name: string): boolean {
  return VERBS.some((verb) => name.split(" ")[0] === verb);
}

function goalOf({ name, rounds }: Times, bare: Times | undefined): Goal {
  const ratio = median(rounds.flat()) / median(bare?.rounds.flat() ?? []);
  return atMost(`${name} beside the bare server`, ratio, 2.7, formatRatio);
}

/** One tool of one server. */
interface Call {
  readonly contestant: Contestant;
  /** The server's process. */
  readonly pid: number;
}

interface Opened {
  readonly calls: readonly Call[];
  close(): Promise<void>;
}

async function openRace(context: Context, suffix: string): Promise<Race> {
  const { calls, close } = await open(context);
  return {
    contestants: calls.map(({ contestant: { name, run } }) => ({ name: `${name}${suffix}`, run })),
    close,
  };
}

/** CPU, system calls and syncs of a call of each contestant, once it is warm. */
async function costEach(context: Context): Promise<string[][]> {
  const { calls, close } = await open(context);
  const costs: string[][] = [];
  for (const { contestant, pid } of calls) {
    const repeat = async (count: number) => {
      for (let done = 0; done < count; done++) await contestant.run();
    };
    await repeat(context.quick ? CPU_CALLS : WARM_UP);
    const before_ms = fineCpuOf([pid]);
    await repeat(CPU_CALLS);
    const cpu = formatTime((fineCpuOf([pid]) - before_ms) / CPU_CALLS);
    const counted = await countSystemCalls(pid, () => repeat(COUNTED));
    costs.push([
      cpu,
      counted ? (counted.count / COUNTED).toFixed(0) : "not counted",
      counted ? describeSyncs(counted.syncs, COUNTED) : "not counted",
    ]);
  }
  await close();
  return costs;
}

async function open({ scratch }: Context): Promise<Opened> {
  const folder = scratch.path("project");
  await initProject(folder);
  const bare = await connect(bareServer("bare-insert", { BENCH_DB_PATH: scratch.path("bare.db") }));
  const unsynced = await connect(
    bareServer("bare-insert", { BENCH_DB_PATH: scratch.path("bare.db"), BENCH_SYNCHRONOUS: "OFF" }),
  );
  const signalbox = await connect(signalboxMcp(await addSession(folder)));
  const swarm = isInstalled(SWARM_PLUGIN) ? await openSwarmPlugin(scratch) : undefined;
  const states = ["implementing", "testing"];
  return {
    calls: [
      call(bare, "bare server and insert", "flag", flagArguments),
      call(unsynced, "bare server that never syncs", "flag", flagArguments),
      ...(swarm
        ? [call(swarm, "opencode-swarm-plugin 0.63, swarmmail_send", "swarmmail_send", message)]
        : []),
      call(signalbox, "flag", "flag", flagArguments),
      call(signalbox, "learned", "learned", learnedArguments),
      call(signalbox, "done", "done", (number) => ({ summary: flagArguments(number).what })),
      call(signalbox, "update_session_state", "update_session_state", (number) => ({
        sessionId: "bench",
        state: states[number % 2],
      })),
    ],
    async close() {
      for (const { client } of [bare, unsynced, signalbox, ...(swarm ? [swarm] : [])]) await client.close();
    },
  };
}

async function openSwarmPlugin(scratch: Scratch): Promise<Server> {
  const home = scratch.path("home");
  mkdirSync(home);
  const swarm = await connect(swarmPlugin(home));
  const { run } = call(swarm, "", "swarmmail_init", () => ({
    project_path: home,
    agent_name: "bench",
  })).contestant;
  await run();
  return swarm;
}

function call(
  { client, pid }: Server,
  name: string,
  tool: string,
  args: (number: number) => Record<string, unknown>,
): Call {
  let number = 0;
  const run = async () => {
    const { isError, content } = await client.callTool({ name: tool, arguments: args(++number) });
    // opencode-swarm-plugin reports an error as the text of an answer.
    if (isError || JSON.stringify(content).includes('\\"error\\":')) throw new Error(JSON.stringify(content));
  };
  return { contestant: { name, run }, pid };
}

function message(number: number) {
  return { to: ["bench"], subject: `Found in run ${number}`, body: flagArguments(number).what };
}

interface Server {
  readonly client: Client;
  readonly pid: number;
}

async function connect({ args, env = {}, cwd = process.cwd(), stderr }: Launch): Promise<Server> {
  const client = new Client({ name: "bench", version: "0" });
  const path = process.env.PATH ?? "";
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    env: { PATH: path, ...stateVariables(process.env), ...env },
    cwd,
    stderr: stderr ?? "inherit",
  });
  await client.connect(transport);
  // As clients do: from here on it checks answers against the tools' output schemas.
  await client.listTools();
  return { client, pid: transport.pid ?? 0 };
}
