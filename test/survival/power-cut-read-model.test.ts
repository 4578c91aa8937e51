import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { history, take } from "../../bench/lib/history.ts";
import { Random } from "../../bench/lib/random.ts";
import { closeStore, openStoreAt, type Store } from "../../src/decisions/store.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { useBundle } from "../children.ts";
import { campaign, type Figures } from "./campaign.ts";
import type { Operation } from "./disk-trace.ts";
import { cutPower } from "./power-cut.ts";
import { diskAfterCut, recordDisk, temporaryDisk } from "./recorded-disk.ts";

/*
 * The read model's commits are not synced, so a power cut takes some of them, or the file. Catches: rows without their
 * checkpoint, a read model that stays ahead of its log, or that is not seen to be of another past.
 */

const reduceAndClose = useBundle("test/survival/children/reduce-and-close.ts");

interface Recorded {
  readonly folder: string;
  readonly operations: readonly Operation[];
}

/** How a project goes on after the power cut. */
const ways = ["opened", "appended_to", "older_log"] as const;

campaign<Recorded>({
  line: "power-cut-read-model",
  promise:
    "power cut: the read model may be old or lost, and is never wrong; also where other events have taken the positions that it has reduced",
  small: 30,
  large: 5_000,
  needs: ["strace"],
  async open() {
    const folder = temporaryDisk();
    const { operations } = await recordDisk(folder, "ralph.db", reduceAndClose.path, "2", "200");
    return { folder, operations };
  },
  async point(number, { folder, operations }) {
    const way = ways[number % ways.length] ?? "opened";
    const disk = diskAfterCut(number, folder, operations);
    const path = join(disk.folder, "ralph.db");
    const logPath = logPathBeside(path);
    if (way === "older_log") putOlderLog(disk.folder, disk.before, new Random(number));
    // Whoever was not told that the log is made will make it again.
    if (disk.acknowledged.length === 0 || way === "older_log") createLogFile(logPath);
    if (way !== "opened") await appendOthers(logPath, number);
    // As the program that made it: to others its files are from elsewhere.
    const store = await openStoreAt({ path: logPath }, path, systemEnvironment());
    const figures = await checkReadModel(store, way);
    await closeStore(store);
    disk.remove();
    return figures;
  },
  conclude(figures) {
    // The events that it has reduced were durable when it could see them: only an older log gives it another past.
    expect(figures.rebuilt_opened).toBe(0);
    expect(figures.rebuilt_appended_to).toBe(0);
    expect(figures.rebuilt_older_log).toBeGreaterThan(0);
  },
});

/** The log as it was at some time before, as from a backup, or from a disk that has not done the fsyncs it was told. */
function putOlderLog(folder: string, before: readonly Operation[], random: Random): void {
  for (const file of readdirSync(folder)) if (file.startsWith("events.db")) rmSync(join(folder, file));
  const older = before.slice(0, Math.floor(before.length * (1 - random.next() / 5)));
  for (const [file, content] of cutPower(older, random)) {
    if (file.startsWith("events.db")) writeFileSync(join(folder, file), content);
  }
}

/** Somebody who does not open the read model goes on with the log: fewer events than it has reduced, or more. */
async function appendOthers(path: string, number: number): Promise<void> {
  const log = openSqliteLog(path, systemEnvironment());
  await log.append(take(history("growing", 2 + number), 1 + (number % 60)));
  await log.close();
}

async function checkReadModel({ log, readModel }: Store, way: string): Promise<Figures> {
  const runs = rebuildsOf(readModel);
  await catchUp(readModel, log);
  const rebuilt = rebuildsOf(readModel) - runs;
  const fresh = new ReadModel(":memory:");
  await catchUp(fresh, log);
  expectSame(readModel, fresh);
  // And it goes on from there.
  await log.append(take(history("growing", 1_000), 3));
  await catchUp(readModel, log);
  await catchUp(fresh, log);
  expectSame(readModel, fresh);
  fresh.close();
  return { [`rebuilt_${way}`]: rebuilt };
}

function expectSame(readModel: ReadModel, fresh: ReadModel): void {
  expect(readModel.contentHash()).toBe(fresh.contentHash());
  expect(placesOf(readModel)).toEqual(placesOf(fresh));
  expect(readModel.database.pragma("integrity_check", { simple: true })).toBe("ok");
}

function placesOf({ checkpoints }: ReadModel) {
  return checkpoints
    .list()
    .map(({ name, position, leaf_hash, state }) => ({ name, position, leaf_hash, state }));
}

/** How many rebuilds there have been in the life of a read model's file. */
function rebuildsOf({ database }: ReadModel): number {
  const count = database
    .prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'rebuilds'")
    .pluck()
    .get();
  return count ?? 0;
}
