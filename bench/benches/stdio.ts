import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { initProject } from "../../src/project.ts";
import type { Bench, Context } from "../lib/bench.ts";
import { type Race, race } from "../lib/measure.ts";
import { addSession, flagArguments } from "../lib/project.ts";
import { TIMES_COLUMNS, timesRows } from "../lib/report.ts";
import { bareServer, type Launch, signalboxMcp } from "../lib/server.ts";

export const stdio: Bench = {
  name: "stdio",
  async run(context) {
    const { quick } = context;
    const plan = { rounds: quick ? 1 : 4, turns: quick ? 40 : 250, warmUp: 30 };
    const atOnce = await race(plan, () => openRace(context, " (at once)"));
    const pause_ms = 5;
    const rested = await race({ ...plan, turns: plan.turns / 2, pause_ms }, () => openRace(context, ""));
    return {
      title: "A verb over stdio, from call to answer",
      how: `The SDK's client, calls by turns, ${plan.rounds} rounds with new servers and files: ${plan.turns} of each at once after another, and ${plan.turns / 2} of each with ${pause_ms} ms before each call, so that the work behind an answer is over. \`done\` and \`update_session_state\` look at the read model for their answer.`,
      columns: TIMES_COLUMNS,
      rows: [...timesRows(atOnce), ...timesRows(rested)],
    };
  },
};

async function openRace({ scratch }: Context, suffix: string): Promise<Race> {
  const folder = scratch.path("project");
  await initProject(folder);
  const bare = await connect(bareServer("bare-insert", { BENCH_DB_PATH: scratch.path("bare.db") }));
  const signalbox = await connect(signalboxMcp(await addSession(folder)));
  let number = 0;
  const call =
    (client: Client, name: string, args: (number: number) => Record<string, unknown>) => async () => {
      const { isError, content } = await client.callTool({ name, arguments: args(++number) });
      if (isError) throw new Error(JSON.stringify(content));
    };
  const learning = (count: number) => ({
    text: `Reminders of \`job${count}\` are kept in UTC and shown in the reader's time zone.`,
    kind: "discovery",
  });
  const states = ["implementing", "testing"];
  return {
    contestants: [
      { name: `bare server and insert${suffix}`, run: call(bare, "flag", flagArguments) },
      { name: `flag${suffix}`, run: call(signalbox, "flag", flagArguments) },
      { name: `learned${suffix}`, run: call(signalbox, "learned", learning) },
      {
        name: `done${suffix}`,
        run: call(signalbox, "done", (count) => ({ summary: flagArguments(count).what })),
      },
      {
        name: `update_session_state${suffix}`,
        run: call(signalbox, "update_session_state", (count) => ({
          sessionId: "bench",
          state: states[count % 2],
        })),
      },
    ],
    close: () => Promise.all([bare.close(), signalbox.close()]),
  };
}

async function connect({ args, env = {} }: Launch): Promise<Client> {
  const client = new Client({ name: "bench", version: "0" });
  const path = process.env.PATH ?? "";
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [...args], env: { PATH: path, ...env } }),
  );
  // As clients do: from here on it checks answers against the tools' output schemas.
  await client.listTools();
  return client;
}
