import type { Bench } from "../lib/bench.ts";
import { mean, race } from "../lib/measure.ts";
import { newLog } from "../lib/new-log.ts";
import { flagEvent } from "../lib/project.ts";
import { formatRatio, TIMES_COLUMNS, timesRows } from "../lib/report.ts";

const CALLERS = 64;
const EACH = 8;

export const callers: Bench = {
  name: "callers",
  async run({ scratch, quick }) {
    const plan = { rounds: quick ? 1 : 4, turns: quick ? 3 : 10, warmUp: 1 };
    const times = await race(plan, async () => {
      const alone = newLog(scratch.path("alone.db"));
      const shared = newLog(scratch.path("shared.db"));
      let number = 0;
      const call = async (log: typeof alone, times: number) => {
        for (let count = 0; count < times; count++) await log.append([flagEvent(++number)]);
      };
      return {
        contestants: [
          { name: "one caller", run: () => call(alone, CALLERS * EACH) },
          {
            name: `${CALLERS} callers at once`,
            run: () => Promise.all(Array.from({ length: CALLERS }, () => call(shared, EACH))),
          },
        ],
        close: () => Promise.all([alone.close(), shared.close()]),
      };
    });
    const rates = times.map(({ rounds }) => 1 / mean(rounds.flat()));
    const gain = formatRatio((rates[1] ?? 0) / (rates[0] ?? 0));
    return {
      title: `${CALLERS} callers at once in one process`,
      how: `A run is ${CALLERS * EACH} events, appended one by one by one caller, or ${EACH} by each of ${CALLERS}. ${plan.rounds} rounds of ${plan.turns}. "Per second" counts events: ${gain} × as many by ${CALLERS} callers.`,
      columns: TIMES_COLUMNS,
      rows: timesRows(times, CALLERS * EACH),
    };
  },
};
