import { existsSync, readFileSync } from "node:fs";
import type { Draft } from "../../src/events/types/index.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import type { Bench } from "../lib/bench.ts";
import { atMost } from "../lib/goals.ts";
import { history, take } from "../lib/history.ts";
import { newLog } from "../lib/new-log.ts";
import { formatRatio } from "../lib/report.ts";
import type { Scratch } from "../lib/scratch.ts";

const REPORTS = 152;
const EVENTS_BEFORE = 20_000;
const LONG_TEXT = 5_000;

interface Written {
  log: number;
  readModel: number;
}

/** Bytes, not times: the same on every machine. */
export const disk: Bench = {
  name: "disk",
  async run({ scratch }) {
    const sides: readonly [string, (draft: Draft) => Draft | undefined][] = [
      ["reports as in the corpus", (draft) => draft],
      ["learnings alone", (draft) => (draft.type === "signal.learned" ? draft : undefined)],
      [`reports with ${LONG_TEXT.toLocaleString("en-US")} characters`, lengthened],
    ];
    const rows: string[][] = [];
    const ratios: number[] = [];
    for (const [name, choose] of sides) {
      const written = await writeReports(scratch, choose);
      if (!written) rows.push([name, "not counted", "not counted", ""]);
      else {
        const ratio = written.readModel / written.log;
        ratios.push(ratio);
        rows.push([name, perReport(written.log), perReport(written.readModel), formatRatio(ratio)]);
      }
    }
    return {
      title: "Bytes written for a report",
      how: `${REPORTS} reports, each an append of its own that the read model then follows, on a log of ${EVENTS_BEFORE.toLocaleString("en-US")} events; the pages of journals and files as the process wrote them (\`wchar\` of /proc/self/io).`,
      columns: ["", "to the log", "to the read model", "for each byte of the log"],
      rows,
      goals: ratios
        .slice(0, 1)
        .map((ratio) => atMost("bytes to the read model for each byte of the log", ratio, 3, formatRatio)),
    };
  },
};

/** @returns undefined where the system does not count */
async function writeReports(
  scratch: Scratch,
  choose: (draft: Draft) => Draft | undefined,
): Promise<Written | undefined> {
  if (bytesWritten() === undefined) return undefined;
  const log = newLog(scratch.path("events.db"));
  const readModel = new ReadModel(scratch.path("ralph.db"));
  try {
    const events = history("growing");
    for (let count = 0; count < EVENTS_BEFORE; count += 1_000) await log.append(take(events, 1_000));
    await catchUp(readModel, log);
    const written: Written = { log: 0, readModel: 0 };
    for (let reports = 0; reports < REPORTS; ) {
      const [draft] = take(events, 1);
      const report = draft?.actor === "agent" ? choose(draft) : undefined;
      const start = bytesWritten() ?? 0;
      if (draft) await log.append([report ?? draft]);
      const appended = bytesWritten() ?? 0;
      await catchUp(readModel, log);
      if (!report) continue;
      reports += 1;
      written.log += appended - start;
      written.readModel += (bytesWritten() ?? 0) - appended;
    }
    return written;
  } finally {
    await log.close();
    readModel.close();
  }
}

function bytesWritten(): number | undefined {
  if (!existsSync("/proc/self/io")) return undefined;
  const [, bytes] = /^wchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8")) ?? [];
  return Number(bytes);
}

/** The same report with words enough. */
function lengthened(draft: Draft): Draft {
  if (!("session" in draft.payload)) return draft;
  const longer = Object.entries(draft.payload).map(([name, value]) => [
    name,
    TEXTS.has(name) && typeof value === "string" ? wordsAfter(value) : value,
  ]);
  // The fields are those of the draft, with other texts.
  return { ...draft, payload: Object.fromEntries(longer) } as Draft;
}

const TEXTS: ReadonlySet<string> = new Set(["summary", "reason", "question", "what", "text", "on"]);

function wordsAfter(text: string): string {
  let words = text;
  for (let number = 1; words.length < LONG_TEXT; number++) words += ` ${(number * 7_919).toString(36)}`;
  return words;
}

function perReport(bytes: number): string {
  return `${(bytes / REPORTS / 1_000).toFixed(1)} kB`;
}
