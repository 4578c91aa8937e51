import { initProject } from "../../src/api/project.ts";
import type { Bench } from "../lib/bench.ts";
import { atMost, type Goal } from "../lib/goals.ts";
import { median, race, type Times } from "../lib/measure.ts";
import { addSession, flagArguments } from "../lib/project.ts";
import { formatRatio, TIMES_COLUMNS, timesRows } from "../lib/report.ts";
import { bareServer, signalboxMcp, startNothing, startServer } from "../lib/server.ts";

export const start: Bench = {
  name: "start",
  async run({ scratch, quick }) {
    const folder = scratch.path("project");
    await initProject(folder);
    const signalbox = signalboxMcp(await addSession(folder));
    const bare = bareServer("bare-tools");
    const bareStateless = { ...bareServer("bare-stateless"), stateless: true };
    const signalboxStateless = { ...signalbox, stateless: true };
    const plan = { rounds: 1, turns: quick ? 5 : 40, warmUp: 3 };
    let number = 0;
    const times = await race(plan, async () => ({
      contestants: [
        {
          name: BARE,
          run: async () => (await startServer(bare)).listed_ms,
        },
        { name: OURS, run: async () => (await startServer(signalbox)).listed_ms },
        {
          name: "signalbox mcp, to the answer of a first verb",
          run: async () =>
            (await startServer(signalbox, { name: "flag", arguments: flagArguments(++number) })).called_ms,
        },
        {
          name: BARE_STATELESS,
          run: async () => (await startServer(bareStateless)).listed_ms,
        },
        {
          name: OURS_STATELESS,
          run: async () => (await startServer(signalboxStateless)).listed_ms,
        },
        { name: "node -e 0, to its end", run: startNothing },
      ],
    }));
    return {
      title: "A start, from spawn to the answer of tools/list",
      how:
        `All servers bundled; ${plan.turns} starts of each by turns. A client of MCP 2026-07-28 asks what is ` +
        "served, then for the tools; one of the versions before it initializes first. The second SDK's bare " +
        "server is what the same era costs at least.",
      columns: TIMES_COLUMNS,
      rows: timesRows(times, undefined),
      goals: [goalOf(times, OURS, BARE), goalOf(times, OURS_STATELESS, BARE_STATELESS)],
    };
  },
};

const BARE = "bare server, nine tools, no database";
const OURS = "signalbox mcp";
const BARE_STATELESS = "MCP 2026-07-28: bare server of the second SDK";
const OURS_STATELESS = "MCP 2026-07-28: signalbox mcp";

/** A start costs little more than one of a bare server whose client speaks the same. */
function goalOf(times: readonly Times[], ours: string, bare: string): Goal {
  const medianOf = (name: string) => median(times.find((one) => one.name === name)?.rounds.flat() ?? []);
  return atMost(`${ours} beside the bare server`, medianOf(ours) / medianOf(bare), 1.2, formatRatio);
}
