import { expect, onTestFinished, test } from "vitest";
import type { EventLog } from "../../../src/events/log.ts";
import { ReadModel } from "../../../src/projections/read-model.ts";
import { reduceFurther } from "../../../src/projections/reduce-further.ts";
import { catchUp } from "../../../src/projections/worker.ts";
import { dropSnapshots } from "../../../src/replay/time-travel/snapshots.ts";
import { stateAt } from "../../../src/replay/time-travel/state-at.ts";
import { takeSnapshots } from "../../../src/replay/time-travel/take-snapshots.ts";
import { comment, comments } from "../../events/given.ts";
import { redactionOf } from "../../events/redaction-of.ts";
import { logOf, snapshotPlace } from "../time-travel/given.ts";

const SECRET = "sk-live-7f3a9c0d";

/* Catches: a state that was reduced before a redaction, and is gone on with, or kept, as if it were without the words. */
async function givenComments(): Promise<EventLog> {
  const log = await logOf([]);
  await log.append([comment(SECRET), ...comments(8)]);
  return log;
}

const holdsSecret = (readModel: ReadModel) => readModel.database.serialize().includes(SECRET);

async function reduced(log: EventLog): Promise<ReadModel> {
  const readModel = new ReadModel(":memory:");
  onTestFinished(() => readModel.close());
  await catchUp(readModel, log);
  return readModel;
}

test("what was reduced before an event was redacted is not reduced further, and else is", async () => {
  const log = await givenComments();
  const [before, whole] = [await reduced(log), await reduced(log)];
  expect(holdsSecret(before)).toBe(true);
  await log.append([comment("another")]);
  expect(await reduceFurther(whole, log)).toBe(true);
  await log.append([await redactionOf(log, 1)]);
  expect(await reduceFurther(before, log)).toBe(false);
  expect(await reduceFurther(whole, log)).toBe(false);
});

test("what comes after it and is redacted there does not keep a state from being reduced further", async () => {
  const log = await givenComments();
  const readModel = await reduced(log);
  await log.append([comment(`late ${SECRET}`)]);
  await log.append([await redactionOf(log, 10)]);
  expect(await reduceFurther(readModel, log)).toBe(true);
  expect(readModel.contentHash()).toBe((await reduced(log)).contentHash());
});

test("snapshots that are being taken while an event is redacted are begun anew, and none has its words", async () => {
  const log = await givenComments();
  const { path, snapshots } = snapshotPlace();
  const taken: number[] = [];
  await takeSnapshots(redactingAt(6, log, path), snapshots(), 3, (position) => taken.push(position));
  // 3 was taken twice: what was there at the redaction was dropped.
  expect(taken).toEqual([3, 6, 3, 6, 9, 10]);
  const positions = snapshots()
    .list()
    .map(({ position }) => position);
  expect(positions).toEqual([3, 6, 9, 10]);
  for (const position of positions) {
    const [snapshot, fresh] = [
      await stateAt(log, position, { snapshots: snapshots() }),
      await stateAt(log, position),
    ];
    expect(holdsSecret(snapshot)).toBe(false);
    expect(snapshot.contentHash()).toBe(fresh.contentHash());
    for (const readModel of [snapshot, fresh]) readModel.close();
  }
});

/** A log whose first event another process redacts, and cleans after it, once it was read up to a position. */
function redactingAt(position: number, log: EventLog, readModelPath: string): EventLog {
  let isDone = false;
  return {
    ...log,
    async read(after, limit) {
      const events = await log.read(after, limit);
      if (isDone || events.at(-1)?.position !== position) return events;
      isDone = true;
      await log.append([await redactionOf(log, 1)]);
      dropSnapshots(readModelPath);
      return events;
    },
  };
}
