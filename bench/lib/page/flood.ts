import { goTo } from "../../../test/web/support/views.ts";
import { Child } from "../child.ts";
import { atMost, type Goal } from "../goals.ts";
import { formatCount } from "../report.ts";
import type { Measured } from "./measured.ts";
import type { WatchedPage } from "./watched.ts";

/** How many events come, how fast, and after how many the heap should not grow. */
export interface Flood {
  readonly events: number;
  readonly perSecond: number;
  readonly settled: number;
}

/** The share by which the heap may differ: it is never twice the same. */
const TOLERANCE = 0.05;

/**
 * Events of another process, as fast as a large fleet reports, while pages show views that follow them: how much of its
 * heap each keeps. The pages are left as they were found.
 *
 * @param log of the project; `count` events of `tasks` tasks are in it
 */
export async function measureFlood(
  pages: readonly (readonly [view: string, watched: WatchedPage])[],
  log: { readonly path: string; readonly count: number; readonly tasks: number },
  { events, perSecond, settled }: Flood,
): Promise<Measured[]> {
  const child = await Child.start("flood", [log.path, String(log.count), String(log.tasks)]);
  const open = await Promise.all(
    pages.map(async ([view, watched]) => {
      await goTo(watched.page, `/${view}`);
      await watched.longestTask();
      const asked = { requests: 0 };
      watched.page.on("request", () => asked.requests++);
      return { view, watched, asked };
    }),
  );
  const heaps = async () => Promise.all(open.map(({ watched }) => heapOf(watched)));
  await child.ask("append", { events: settled, perSecond });
  const before = await heaps();
  const head = await child.ask<number>("append", { events: events - settled, perSecond });
  for (const { watched } of open) {
    await watched.page.getByText(`live · last event #${head.toLocaleString("en")}`).waitFor();
  }
  const after = await heaps();
  await child.end();
  return Promise.all(
    open.map(async ({ view, watched, asked }, nth) => ({
      what: `${formatCount(events)} events come, ${view}: ${formatCount(asked.requests)} requests`,
      times: [],
      longest_ms: await watched.longestTask(),
      goals: [growth(view, before[nth] ?? 0, after[nth] ?? 0, { events, settled })],
    })),
  );
}

function growth(
  view: string,
  before: number,
  after: number,
  { events, settled }: Pick<Flood, "events" | "settled">,
): Goal {
  const format = (share: number) => `${share > 0 ? "+" : ""}${(share * 100).toFixed(1)} %`;
  const what = `heap of the ${view}: ${megabytes(before)} after ${formatCount(settled)} events, ${megabytes(after)} after ${formatCount(events)}`;
  return atMost(what, after / before - 1, TOLERANCE, format);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(2)} MB`;
}

/** In bytes, without garbage. */
async function heapOf({ devtools }: WatchedPage): Promise<number> {
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  return usedSize;
}
