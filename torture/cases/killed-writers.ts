import { watch } from "node:fs";
import type { Operation } from "../adapter.ts";
import { boardFaults, type Case, type Context, firstLine, judge } from "../case.ts";
import { canRecord, Disk, readFiles, recordChanges, writeFiles } from "../disk.ts";
import { perform, start } from "../process.ts";

const LONG_TEXT = "The text of a task that is longer than a page. ".repeat(100);

export const killedWriters: Case = {
  name: "killed writers",
  does: "A command that adds a task of 4,700 letters is killed with SIGKILL, with all its processes, a moment after its first change of a file; and, by its recorded changes, between any two of them.",
  holds:
    "The board can be read; each acknowledged task is there once, each other one once or not at all, and whole; the next writer gets through.",
  async run(context) {
    const killed = await killForReal(context);
    const between = await killBetweenChanges(context);
    return judge(`${killed.tried}; ${between.tried}`, [...killed.faults, ...between.faults]);
  },
};

async function killForReal({ open, random, scale }: Context) {
  const { folder, tracker } = await open();
  const acknowledged: string[] = [];
  const doubtful: string[] = [];
  const faults: string[] = [];
  const kills = Math.ceil(2 * scale);
  for (let kill = 1; kill <= kills; kill++) {
    if (await addAndKill(tracker.add(`killed-${kill}`, LONG_TEXT), folder, random.below(30)))
      acknowledged.push(`killed-${kill}`);
    else doubtful.push(`killed-${kill}`);
    const next = await perform(tracker.add(`next-${kill}`, "short"), folder);
    if (next.ok) acknowledged.push(`next-${kill}`);
    else {
      doubtful.push(`next-${kill}`);
      faults.push(`after kill ${kill} the next writer was refused (${firstLine(next.output)})`);
    }
  }
  faults.push(...(await boardFaults(tracker, acknowledged, doubtful)));
  faults.push(
    ...(await tornTexts(
      tracker,
      doubtful.filter((title) => title.startsWith("killed")),
    )),
  );
  return { tried: `${kills} kills, ${doubtful.length} before the acknowledgement`, faults };
}

/** Whether it was acknowledged before it was killed, `delay_ms` after the first change in its folder. */
async function addAndKill(operation: Operation, folder: string, delay_ms: number): Promise<boolean> {
  for (const command of operation) {
    const running = start(command, folder);
    const changes = watch(folder, { recursive: true }, () => setTimeout(running.kill, delay_ms));
    const { ok } = await running.ended;
    changes.close();
    if (!ok) return false;
  }
  return true;
}

async function killBetweenChanges({ open, scale }: Context) {
  if (!canRecord()) return { tried: "strace is missing, so no kill between changes", faults: [] };
  const { folder, tracker } = await open();
  await perform(tracker.add("earlier", "short"), folder);
  const [before, home] = [readFiles(folder), readFiles(`${folder}-home`)];
  const { changes } = await recordChanges(tracker.add("recorded", LONG_TEXT), folder);
  const points = spread(changes.length, Math.ceil(4 * scale));
  const faults: string[] = [];
  for (const point of points) {
    const disk = new Disk(before);
    for (const change of changes.slice(0, point)) disk.apply(change);
    writeFiles(folder, disk.seen());
    writeFiles(`${folder}-home`, home);
    const found = await boardFaults(tracker, ["earlier"], ["recorded"]);
    found.push(...(await tornTexts(tracker, ["recorded"])));
    if (found.length === 0 && !(await perform(tracker.add("later", "short"), folder)).ok)
      found.push("the next writer was refused");
    faults.push(...found.map((fault) => `after change ${point} of ${changes.length}, ${fault}`));
  }
  return { tried: `${points.length} points between ${changes.length} recorded changes`, faults };
}

/** Which of these tasks are there in part. */
async function tornTexts(
  tracker: { list(): Promise<readonly { id: string; title: string }[]>; show(id: string): Promise<string> },
  titles: readonly string[],
): Promise<string[]> {
  const faults: string[] = [];
  try {
    for (const { id, title } of await tracker.list()) {
      if (!titles.includes(title)) continue;
      const words = (await tracker.show(id)).match(/longer than a\s+page/g)?.length ?? 0;
      if (words < 100) faults.push(`task ${title} is there with ${words} of 100 sentences`);
    }
  } catch {
    // The board's own faults say that it cannot be read.
  }
  return faults;
}

/** `count` points from 1 to `last`, evenly. */
function spread(last: number, count: number): number[] {
  if (last <= count) return Array.from({ length: last }, (_, index) => index + 1);
  return Array.from({ length: count }, (_, index) =>
    Math.round(1 + (index * (last - 1)) / Math.max(1, count - 1)),
  );
}
