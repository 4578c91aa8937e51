import { initProject } from "../../src/project/project.ts";
import type { Bench } from "../lib/bench.ts";
import { race } from "../lib/measure.ts";
import { addSession, flagArguments } from "../lib/project.ts";
import { TIMES_COLUMNS, timesRows } from "../lib/report.ts";
import { bareServer, signalboxMcp, startNothing, startServer } from "../lib/server.ts";

export const start: Bench = {
  name: "start",
  async run({ scratch, quick }) {
    const folder = scratch.path("project");
    await initProject(folder);
    const signalbox = signalboxMcp(await addSession(folder));
    const bare = bareServer("bare-tools");
    const plan = { rounds: 1, turns: quick ? 5 : 40, warmUp: 3 };
    let number = 0;
    const times = await race(plan, async () => ({
      contestants: [
        {
          name: "bare server, nine tools, no database",
          run: async () => (await startServer(bare)).listed_ms,
        },
        { name: "signalbox mcp", run: async () => (await startServer(signalbox)).listed_ms },
        {
          name: "signalbox mcp, to the answer of a first verb",
          run: async () =>
            (await startServer(signalbox, { name: "flag", arguments: flagArguments(++number) })).called_ms,
        },
        { name: "node -e 0, to its end", run: startNothing },
      ],
    }));
    return {
      title: "A start, from spawn to the answer of tools/list",
      how: `Both servers bundled; ${plan.turns} starts of each by turns.`,
      columns: TIMES_COLUMNS,
      rows: timesRows(times, undefined),
    };
  },
};
