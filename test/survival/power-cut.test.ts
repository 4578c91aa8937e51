import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import { useBundle } from "../children.ts";
import { everythingIn, numbers, positionsOf } from "../events/given.ts";
import { batchesOf, markedBatch } from "../events/marked-batch.ts";
import { campaign } from "./campaign.ts";
import type { Operation } from "./disk-trace.ts";
import { diskAfterCut, recordDisk, temporaryDisk } from "./recorded-disk.ts";

/*
 * Catches: a writing connection without `PRAGMA synchronous = FULL`, an acknowledgement before the commit, a log file
 * that is said to be made and is not there after a power cut. That SQLite reports synchronous=2 where better-sqlite3
 * behaves as NORMAL is what the control shows.
 */

const appendAndClose = useBundle("test/survival/children/append-and-close.ts");
const insertByDefault = useBundle("test/survival/children/insert-by-default.ts");

interface Recorded {
  readonly folder: string;
  readonly log: readonly Operation[];
  /** All events of the log at the end, as JSON, and the heads that it had between two batches. */
  readonly events: readonly string[];
  readonly heads: ReadonlySet<number>;
  readonly control: readonly Operation[];
}

campaign<Recorded>({
  line: "power-cut",
  promise:
    "power cut: images rebuilt from one trace of the system calls, with everything after the last fsync kept, dropped or torn; and the control, that better-sqlite3's default loses acknowledged events in more than a tenth of the images",
  small: 120,
  large: 50_000,
  needs: ["strace"],
  async open() {
    const folder = temporaryDisk();
    const [log, control] = await Promise.all([
      recordDisk(folder, "events.db", appendAndClose.path, "3", "300"),
      recordDisk(folder, "rows.db", insertByDefault.path, "2", "1500"),
    ]);
    return { folder, log: log.operations, control: control.operations, ...(await contentOf(log.path)) };
  },
  async point(number, recorded) {
    const survived = await checkLog(number, recorded);
    const kept = checkControl(number, recorded);
    return { ...survived, ...kept };
  },
  conclude(figures, points) {
    expect(figures.lost_by_default).toBeGreaterThan(points / 10);
  },
});

async function checkLog(number: number, recorded: Recorded): Promise<{ more_than_acknowledged: number }> {
  const { acknowledged, folder, remove } = diskAfterCut(number, recorded.folder, recorded.log);
  const path = join(folder, "events.db");
  // Whoever was not told that the log is made will make it again.
  if (acknowledged.length === 0) createLogFile(path);
  const log = openSqliteLog(path, systemEnvironment());
  const events = await everythingIn(log);
  events.forEach((event, index) => {
    if (JSON.stringify(event) !== recorded.events[index]) {
      throw new Error(`Event ${index + 1} is ${JSON.stringify(event)}, not ${recorded.events[index]}`);
    }
  });
  const promised = Math.max(
    0,
    ...acknowledged.flatMap((line): number[] => (line === "created" ? [] : JSON.parse(line))),
  );
  expect(events.length).toBeGreaterThanOrEqual(promised);
  expect(recorded.heads, `a batch is torn: the head is ${events.length}`).toContain(events.length);
  const appended = await log.append(markedBatch("after", 1, 3));
  expect(positionsOf(appended.events)).toEqual(numbers(events.length + 3, events.length + 1));
  await log.close();
  expect(integrityOf(path)).toBe("ok");
  remove();
  return { more_than_acknowledged: events.length > promised ? 1 : 0 };
}

/** SQLite in WAL mode loses rows here, the last ones, and damages nothing: the images are no worse than its promise. */
function checkControl(number: number, recorded: Recorded): { lost_by_default: number } {
  const { acknowledged, folder, remove } = diskAfterCut(number, recorded.folder, recorded.control);
  const path = join(folder, "rows.db");
  const database = new Database(path);
  const made = database.prepare("SELECT 1 FROM sqlite_schema").get() !== undefined;
  const rows = made ? database.prepare<[], number>("SELECT number FROM rows").pluck().all() : [];
  database.close();
  expect(rows).toEqual(numbers(rows.length));
  expect(integrityOf(path)).toBe("ok");
  remove();
  return { lost_by_default: rows.length < acknowledged.length ? 1 : 0 };
}

async function contentOf(path: string): Promise<Pick<Recorded, "events" | "heads">> {
  const log = openSqliteLog(path, systemEnvironment());
  const events = await everythingIn(log);
  await log.close();
  const heads = [...batchesOf(events).values()].map((positions) => positions.at(-1) ?? 0);
  return { events: events.map((event) => JSON.stringify(event)), heads: new Set([0, ...heads]) };
}

function integrityOf(path: string): unknown {
  const database = new Database(path);
  try {
    return database.pragma("integrity_check", { simple: true });
  } finally {
    database.close();
  }
}
