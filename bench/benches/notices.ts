import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { initProject, openProject, readModelPathIn } from "../../src/api/project.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import type { EventLog } from "../../src/events/log.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import type { Draft } from "../../src/events/types/index.ts";
import type { Bench } from "../lib/bench.ts";
import { confirm } from "../lib/confirm.ts";
import { atMost, below } from "../lib/goals.ts";
import { median, quantile, race } from "../lib/measure.ts";
import { addSession, flagEvent } from "../lib/project.ts";
import { formatRatio, formatTime, TIMES_COLUMNS, timesRows } from "../lib/report.ts";
import type { Scratch } from "../lib/scratch.ts";
import { servePanel } from "../lib/server.ts";

const WAITING = 10_000;
const SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;

export const notices: Bench = {
  name: "notices",
  async run({ scratch, quick }) {
    const down = await givenWaiting(scratch, "down");
    const none = await givenWaiting(scratch, "none");
    const panels = [await servePanel(down.db), await servePanel(none.db)];
    // The one tells that the channel is down, and waits.
    await delay(15_000);
    const plan = { rounds: quick ? 2 : 6, turns: quick ? 200 : 1_000, warmUp: 200 };
    let sent = 0;
    const times = await race(plan, async () => {
      const logs = [open(none.db), open(down.db)] as const;
      return {
        contestants: [
          { name: "append, panel served without channels", run: () => logs[0].append([flagEvent(++sent)]) },
          {
            name: `append, ${WAITING.toLocaleString("en")} notices waiting for a channel that is down`,
            run: () => logs[1].append([flagEvent(++sent)]),
          },
        ],
        close: () => Promise.all(logs.map((log) => log.close())),
      };
    });
    for (const panel of panels) await panel.stop();
    const [beside, waiting] = times.map(({ rounds }) => median(rounds.flat()));
    const arrivals = await arrivalTimes(scratch, quick ? 20 : 100);
    const p95 = quantile(arrivals, 0.95);
    return {
      title: "Notices",
      how: `Two projects with ${WAITING.toLocaleString("en")} open questions each, both served by a panel; in one a webhook is configured that nobody answers. Then one event is appended to each by turns. Below, in a project of its own, a question is appended every 300 ms, and the time until the webhook's receiver has it.`,
      columns: TIMES_COLUMNS,
      rows: timesRows(times),
      goals: [
        atMost("append with 10,000 notices waiting", (waiting ?? 0) / (beside ?? 1), 1.02, formatRatio),
        below("p95 from the append's call to the channel", p95, 2_000, formatTime),
        below("median of the same", median(arrivals), 2_000, formatTime),
      ],
    };
  },
};

/** A project with so many open questions; a channel at a port that nobody listens on, or none. */
async function givenWaiting(scratch: Scratch, channel: "down" | "none"): Promise<{ db: string }> {
  const folder = scratch.path(`waiting-${channel}`);
  await initProject(folder);
  const db = readModelPathIn(folder);
  if (channel === "down") confirm(folder, webhook("http://127.0.0.1:9/hook"));
  await addSession(folder);
  const log = open(db);
  for (let at = 0; at < WAITING; at += 1_000)
    await log.append(Array.from({ length: 1_000 }, (_, number) => question(at + number)));
  await log.close();
  const project = await openProject(folder);
  await project.queries.inboxCount();
  await project.close();
  return { db };
}

async function arrivalTimes(scratch: Scratch, count: number): Promise<number[]> {
  const arrived = new Map<string, number>();
  const server = createServer((request, response) => {
    arrived.set(String(request.headers["webhook-id"]), performance.now());
    request.resume().on("end", () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const folder = scratch.path("arrivals");
  await initProject(folder);
  confirm(folder, webhook(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`));
  await addSession(folder);
  const panel = await servePanel(readModelPathIn(folder));
  await delay(3_000);
  const log = open(readModelPathIn(folder));
  const called: [string, number][] = [];
  for (let number = 0; number < count; number++) {
    const call = performance.now();
    const { events } = await log.append([question(number)]);
    called.push([events[0]?.id ?? "", call]);
    await delay(300);
  }
  await delay(5_000);
  await log.close();
  await panel.stop();
  server.close();
  return called.map(([id, call]) => (arrived.get(id) ?? Number.POSITIVE_INFINITY) - call);
}

function webhook(url: string): object {
  process.env.BENCH_HOOK = SECRET;
  return {
    notices: { channels: { hook: { kind: "webhook", url, private: true, secret: { env: "BENCH_HOOK" } } } },
  };
}

function question(number: number): Draft<"signal.ask"> {
  const payload = {
    task: 1,
    session: "bench",
    question: `May \`save${number}()\` drop the time zone?`,
    blocking: true,
  };
  return { type: "signal.ask", actor: "agent", correlation: "bench", payload };
}

function open(db: string): EventLog {
  return openSqliteLog(logPathBeside(db), systemEnvironment());
}
