import { setTimeout as delay } from "node:timers/promises";
import { initProject, readModelPathIn } from "../../src/api/project.ts";
import type { Bench, Context } from "../lib/bench.ts";
import type { OpenClient } from "../lib/client.ts";
import { fineCpuOf } from "../lib/fine-cpu.ts";
import { atMost, type Goal } from "../lib/goals.ts";
import { openHttpClient } from "../lib/http-client.ts";
import { median } from "../lib/measure.ts";
import { memoryOf } from "../lib/memory.ts";
import { addSession, addTokenSession, learnedArguments } from "../lib/project.ts";
import { formatCount, formatRatio, formatTime } from "../lib/report.ts";
import { openServer, serveMcp, signalboxMcp } from "../lib/server.ts";

/** Calls of each session, as many as an agent makes. */
const CALLS = 20;
/** What goes on behind an answer is over by then. */
const SETTLED_MS = 1_500;

/** What sessions cost on one server over HTTP, beside a server for each over stdio. */
export const http: Bench = {
  name: "http",
  async run(context) {
    const sessions = context.quick ? 10 : 100;
    const rounds = context.quick ? 1 : 3;
    const rows: string[][] = [];
    const goals: Goal[] = [];
    for (const { era, stateless } of ERAS) {
      const pairs: Pair[] = [];
      for (let round = 0; round < rounds; round++)
        pairs.push(await measureBoth(context, sessions, stateless, round % 2 === 1));
      for (const { name, of, format, limit } of FIGURES) {
        const [stdio, http] = [pairs.map((pair) => of(pair.stdio)), pairs.map((pair) => of(pair.http))];
        const ratios = pairs.map((pair) => of(pair.http) / of(pair.stdio));
        rows.push([
          `${era}: ${name}`,
          format(median(stdio)),
          format(median(http)),
          formatRatio(median(ratios)),
          [Math.min(...ratios), Math.max(...ratios)].map(formatRatio).join("–"),
        ]);
        if (limit !== undefined)
          goals.push(atMost(`${era}: ${name}, HTTP / stdio`, median(ratios), limit, formatRatio));
      }
    }
    return {
      title: `${sessions} sessions on one server over HTTP`,
      how: `Beside as many servers over stdio, by turns, ${rounds} times in each era, each time on a new project. Each session lists its tools and calls \`learned\` ${CALLS} times, one call at a time and the sessions in turn; servers are as they start, without calls to warm up. CPU is that of the servers' process trees until ${SETTLED_MS} ms after the last answer, followers of the log included, and none of the clients'. Memory is taken then, as PSS: a page that processes share counts once in all. Over HTTP each client has a token and connections of its own; one that initializes keeps a stream open besides.`,
      columns: ["", `${sessions} servers, stdio`, "1 server, HTTP", "HTTP / stdio", "× by round"],
      rows,
      goals,
    };
  },
};

const ERAS = [
  { era: "MCP 2025-06-18", stateless: false },
  { era: "MCP 2026-07-28", stateless: true },
];

interface Pair {
  readonly stdio: Cost;
  readonly http: Cost;
}

interface Cost {
  readonly memory: number;
  /** From the start of the servers until each session's tools are listed. */
  readonly start_ms: number;
  readonly call_ms: number;
}

interface Figure {
  readonly name: string;
  of(cost: Cost): number;
  format(figure: number): string;
  /** What it should be at most over HTTP, as a part of that over stdio. */
  readonly limit?: number;
}

const FIGURES: readonly Figure[] = [
  {
    name: "memory",
    of: ({ memory }) => memory,
    format: (bytes) => `${formatCount(bytes / 1e6)} MB`,
    limit: 0.1,
  },
  { name: "CPU a call", of: ({ call_ms }) => call_ms, format: formatTime, limit: 1 },
  { name: "CPU of a session until its tools are listed", of: ({ start_ms }) => start_ms, format: formatTime },
];

async function measureBoth(
  context: Context,
  sessions: number,
  stateless: boolean,
  httpFirst: boolean,
): Promise<Pair> {
  const measureSide = async (open: typeof openStdio) => measure(await open(context, sessions, stateless));
  if (!httpFirst) return { stdio: await measureSide(openStdio), http: await measureSide(openHttp) };
  const http = await measureSide(openHttp);
  return { stdio: await measureSide(openStdio), http };
}

interface Opened {
  readonly clients: readonly OpenClient[];
  readonly pids: readonly number[];
  close(): Promise<unknown>;
}

async function measure({ clients, pids, close }: Opened): Promise<Cost> {
  await delay(SETTLED_MS);
  const listed_ms = fineCpuOf(pids);
  const calls = clients.length * CALLS;
  for (let number = 0; number < calls; number++)
    await clients[number % clients.length]?.call({ name: "learned", arguments: learnedArguments(number) });
  await delay(SETTLED_MS);
  const call_ms = (fineCpuOf(pids) - listed_ms) / calls;
  const memory = memoryOf(pids);
  await close();
  return { memory, start_ms: listed_ms / clients.length, call_ms };
}

async function openStdio({ scratch }: Context, sessions: number, stateless: boolean): Promise<Opened> {
  const folder = scratch.path("project");
  await initProject(folder);
  const launches = await repeat(sessions, (name) => addSession(folder, name));
  const servers = await repeat(sessions, async (_, index) =>
    openServer({ ...signalboxMcp(launches[index] ?? {}), stateless }),
  );
  return {
    clients: servers,
    pids: servers.map(({ pid }) => pid),
    close: () => Promise.all(servers.map((server) => server.close())),
  };
}

async function openHttp({ scratch }: Context, sessions: number, stateless: boolean): Promise<Opened> {
  const folder = scratch.path("project");
  await initProject(folder);
  const tokens = await repeat(sessions, (name) => addTokenSession(folder, name));
  const server = await serveMcp(readModelPathIn(folder));
  const clients = await repeat(sessions, (_, index) =>
    openHttpClient(server.address, tokens[index] ?? "", stateless),
  );
  return {
    clients,
    pids: [server.pid],
    async close() {
      for (const client of clients) client.close();
      await server.stop();
    },
  };
}

/** Results of as many turns, one after the other. */
async function repeat<Result>(
  count: number,
  turn: (session: string, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let index = 0; index < count; index++) results.push(await turn(`bench-${index + 1}`, index));
  return results;
}
