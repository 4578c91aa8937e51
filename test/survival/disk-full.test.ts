import { join } from "node:path";
import { expect } from "vitest";
import { decide } from "../../src/decisions/decide.ts";
import { closeStore, openStore, type Store } from "../../src/decisions/store.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import type { EventLog } from "../../src/events/log.ts";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import { LogError } from "../../src/lib/log-error.ts";
import { createFeature } from "../../src/operations/features.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { ROOM_FOR_LOG_BYTES } from "../../src/read-model/room.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { type Child, useChild } from "../children.ts";
import { everythingIn, numbers, positionsOf, temporaryFolder } from "../events/given.ts";
import { trustFile } from "../support/trust-file.ts";
import { campaign } from "./campaign.ts";
import { repeatableBatch } from "./repeatable-batch.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";
import { checkStore } from "./store-check.ts";
import { spreadOver } from "./system-calls.ts";

/*
 * Catches: a handle that stays broken after a full disk, a refusal that does not say why, a worker that ends or stops its
 * projections because there is no room for the read model.
 */
const startWorker = useChild("test/survival/children/keep-up-to-date.ts");

const DISK_BYTES = ROOM_FOR_LOG_BYTES + 8 * 1024 * 1024;
/** Room is left for this much at most when the ballast is there, and for a page at least: for the log alone. */
const ROOM_BYTES = 1024 * 1024;
const PAGE_BYTES = 4_096;

campaign({
  line: "disk-full",
  promise:
    "disk full: the read model leaves the last 16 MB to the log, appends are refused with the reason when those are full, readers go on, and all goes on by itself when there is room",
  small: 1,
  large: 20,
  needs: ["root"],
  open: () => {},
  async point(number) {
    const room_bytes = PAGE_BYTES + spreadOver(ROOM_BYTES, number);
    const before = await onSmallDisk((disk) => tryFullDisk(disk, room_bytes));
    await onSmallDisk((disk) => tryFullReadModel(disk, room_bytes));
    return { "batches until the disk was full": before };
  },
});

async function onSmallDisk<T>(work: (disk: SmallDisk) => Promise<T>): Promise<T> {
  const disk = mountSmallDisk(DISK_BYTES);
  try {
    return await work(disk);
  } finally {
    disk.remove();
  }
}

/** Log and read model on a disk that becomes full; returns how many batches it took. */
async function tryFullDisk(disk: SmallDisk, room_bytes: number): Promise<number> {
  const logPath = join(disk.path, "events.db");
  const readModelPath = join(disk.path, "ralph.db");
  createLogFile(logPath);
  // It is made by the program itself.
  await closeStore(await openStore(readModelPath, systemEnvironment()));
  trustFile(readModelPath);
  const log = openSqliteLog(logPath, systemEnvironment());
  const worker = new Worker(startWorker(logPath, readModelPath));
  const acknowledged = new Map<string, readonly number[]>();
  let number = 1;
  let before = 0;
  try {
    await append(log, number++, acknowledged);
    const reduced = await log.head();
    await worker.reaches(reduced);
    disk.leave(room_bytes);
    while (!(await isRefusedAsFull(() => append(log, number, acknowledged)))) number += 1;
    before = number - 1;
    // It stays so, and readers do not notice.
    expect(await isRefusedAsFull(() => append(log, number, acknowledged))).toBe(true);
    const head = [...acknowledged.values()].flat().length;
    expect(positionsOf(await everythingIn(log))).toEqual(numbers(head));
    const seen = await worker.look();
    expect(seen.events).toBe(head);
    // All the room that was left is the log's.
    expect(seen.position).toBe(reduced);
    // Nor does a reader that comes only now.
    const late = await openStore(readModelPath, systemEnvironment());
    expect(await late.log.head()).toBe(head);
    expect(late.readModel.position()).toBe(seen.position);
    await closeStore(late);

    disk.makeRoom();
    // The same batch, over the same handle.
    for (let more = 0; more < 10; more++) await append(log, number++, acknowledged);
    await worker.reaches(await log.head());
  } finally {
    await worker.end();
    await log.close();
  }
  await checkStore(readModelPath, acknowledged);
  return before;
}

/** A log that has room, and a read model on a disk with so little that it is kept for a log. */
async function tryFullReadModel(disk: SmallDisk, room_bytes: number): Promise<void> {
  const folder = temporaryFolder();
  const logPath = join(folder.path, "events.db");
  const readModelPath = join(disk.path, "ralph.db");
  createLogFile(logPath);
  const log = openSqliteLog(logPath, systemEnvironment());
  const worker = new Worker(startWorker(logPath, readModelPath));
  const acknowledged = new Map<string, readonly number[]>();
  let number = 1;
  try {
    await append(log, number++, acknowledged);
    await worker.reaches(await log.head());
    disk.leave(room_bytes);
    const reduced = await log.head();
    // What is decided now could not be checked by the next decision.
    await expectDecisionRefused({
      log,
      readModel: new ReadModel(readModelPath),
      environment: systemEnvironment(),
    });
    for (let more = 0; more < 20; more++) await append(log, number++, acknowledged);
    await worker.fails();
    const head = await log.head();
    // It answers from where it is, and the log goes on.
    const seen = await worker.look();
    expect(seen.events).toBe(head);
    expect(seen.position).toBe(reduced);
    for (let more = 0; more < 10; more++) await append(log, number++, acknowledged);

    disk.makeRoom();
    await worker.reaches(await log.head());
    await worker.end();

    const readModel = new ReadModel(readModelPath);
    const fresh = new ReadModel(":memory:");
    expect(readModel.position()).toBe(await log.head());
    expect(readModel.checkpoints.list().map(({ state }) => state)).not.toContain("stopped");
    await catchUp(fresh, log);
    expect(readModel.contentHash()).toBe(fresh.contentHash());
    readModel.close();
    fresh.close();
  } finally {
    await worker.end();
    await log.close();
    folder.remove();
  }
}

async function expectDecisionRefused(store: Store): Promise<void> {
  const head = await store.log.head();
  const decision = createFeature({ name: "general" });
  await expect(decide(store, decision, { actor: "human" })).rejects.toMatchObject({
    name: "ReadModelError",
    code: "no_room",
    message: expect.stringContaining("Free some space"),
  });
  expect(await store.log.head()).toBe(head);
  store.readModel.close();
}

async function append(
  log: EventLog,
  number: number,
  acknowledged: Map<string, readonly number[]>,
): Promise<void> {
  const { events } = await log.append(repeatableBatch("full", number));
  acknowledged.set(`full-${number}`, positionsOf(events));
}

/** True if the disk is given as the reason, false if nothing is refused. */
async function isRefusedAsFull(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return false;
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    expect(error.code).toBe("disk");
    expect(error.message).toMatch(/full/);
    return true;
  }
}

interface Said {
  readonly position?: number;
  readonly events?: number;
  readonly failed?: string;
  readonly code?: string;
}

/** The process that keeps the read model up to date. */
class Worker {
  readonly #child: Child;
  #position = 0;
  #listeners = new Set<(said: Said) => void>();
  readonly #ended: Promise<void>;

  constructor(child: Child) {
    this.#child = child;
    this.#ended = this.#listen();
  }

  /** Waits until the read model is at this position. */
  async reaches(position: number): Promise<void> {
    while (this.#position < position) await this.#next(() => true);
  }

  /** Waits until it says that it could not advance the read model. */
  async fails(): Promise<void> {
    await this.#next(({ failed }) => failed !== undefined);
  }

  /** What it sees of the log and the read model now. */
  async look(): Promise<{ readonly events: number; readonly position: number }> {
    const answer = this.#next(({ events }) => events !== undefined);
    this.#child.tell("look");
    const { events = -1, position = -1 } = await answer;
    return { events, position };
  }

  async end(): Promise<void> {
    this.#child.process.stdin?.end();
    await this.#ended;
  }

  async #listen(): Promise<void> {
    for await (const line of this.#child.lines) {
      const said: Said = JSON.parse(line);
      if (said.failed !== undefined) expect(said.code).toMatch(/^(disk|no_room)$/);
      if (said.position !== undefined && said.events === undefined) this.#position = said.position;
      for (const listener of this.#listeners) listener(said);
    }
    await this.#child.finish();
  }

  #next(fits: (said: Said) => boolean): Promise<Said> {
    return new Promise((resolve, reject) => {
      const listener = (said: Said) => {
        if (!fits(said)) return;
        this.#listeners.delete(listener);
        resolve(said);
      };
      this.#listeners.add(listener);
      this.#ended.then(() => reject(new Error("The worker has ended.")), reject);
    });
  }
}
