import { mkdirSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { initProject } from "../../src/project.ts";
import type { Bench, Context } from "../lib/bench.ts";
import { below, type Goal } from "../lib/goals.ts";
import { isInstalled } from "../lib/installed.ts";
import { type Contestant, median, type Race, race, type Times } from "../lib/measure.ts";
import { addSession, flagArguments } from "../lib/project.ts";
import { formatTime, TIMES_COLUMNS, timesRows } from "../lib/report.ts";
import type { Scratch } from "../lib/scratch.ts";
import { bareServer, type Launch, SWARM_PLUGIN, signalboxMcp, swarmPlugin } from "../lib/server.ts";
import { countSyncs, describeSyncs } from "../lib/syncs.ts";

const PAUSE_MS = 5;
const COUNTED = 20;

export const stdio: Bench = {
  name: "stdio",
  async run(context) {
    const { quick } = context;
    const plan = { rounds: quick ? 1 : 4, turns: quick ? 40 : 250, warmUp: 30 };
    const atOnce = await race(plan, () => openRace(context, " (at once)"));
    const rested = await race({ ...plan, turns: plan.turns / 2, pause_ms: PAUSE_MS }, () =>
      openRace(context, " (rested)"),
    );
    const syncs = await countEach(context);
    const swarm = isInstalled(SWARM_PLUGIN)
      ? "opencode-swarm-plugin is its MCP server as published, sending a message to one agent, with its 117 tools."
      : "opencode-swarm-plugin is not installed (`npm ci --prefix bench`).";
    return {
      title: "A verb over stdio, from call to answer",
      how: `The SDK's client, calls by turns, ${plan.rounds} rounds with new servers and files: ${plan.turns} of each at once after another, and ${plan.turns / 2} of each with ${PAUSE_MS} ms before each call, so that the work behind an answer is over. \`done\` and \`update_session_state\` look at the read model for their answer. The server that never syncs is the bare one with synchronous OFF. ${swarm} Syncs are counted by strace in a run of its own, of ${COUNTED} calls, too few for a checkpoint of a log; those of \`-wal\` are commits.`,
      columns: [...TIMES_COLUMNS, "fsyncs a call"],
      rows: [...timesRows(atOnce), ...timesRows(rested)].map((row, index) => [
        ...row,
        syncs[index % syncs.length] ?? "",
      ]),
      goals: [...atOnce, ...rested].filter(({ name }) => isVerb(name)).map(goalOf),
    };
  },
};

const VERBS = ["flag", "learned", "done", "update_session_state"];

function isVerb(name: string): boolean {
  return VERBS.some((verb) => name.split(" ")[0] === verb);
}

function goalOf({ name, rounds }: Times): Goal {
  return below(`median of ${name}`, median(rounds.flat()), 1, formatTime);
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

async function countEach(context: Context): Promise<string[]> {
  const { calls, close } = await open(context);
  const counts: string[] = [];
  for (const { contestant, pid } of calls) {
    await contestant.run();
    const syncs = await countSyncs(pid, async () => {
      for (let count = 0; count < COUNTED; count++) await contestant.run();
    });
    counts.push(describeSyncs(syncs, COUNTED));
  }
  await close();
  return counts;
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
      call(signalbox, "learned", "learned", learning),
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

function learning(number: number) {
  return {
    text: `Reminders of \`job${number}\` are kept in UTC and shown in the reader's time zone.`,
    kind: "discovery",
  };
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
    env: { PATH: path, ...env },
    cwd,
    stderr: stderr ?? "inherit",
  });
  await client.connect(transport);
  // As clients do: from here on it checks answers against the tools' output schemas.
  await client.listTools();
  return { client, pid: transport.pid ?? 0 };
}
