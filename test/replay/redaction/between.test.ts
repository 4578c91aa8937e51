import { expect, test } from "vitest";
import type { EventLog } from "../../../src/events/log.ts";
import type { ReadModel } from "../../../src/projections/read-model.ts";
import { openKeptStates } from "../../../src/replay/time-travel/kept-states.ts";
import { dropSnapshots } from "../../../src/replay/time-travel/snapshots.ts";
import { stateAt } from "../../../src/replay/time-travel/state-at.ts";
import { takeSnapshots } from "../../../src/replay/time-travel/take-snapshots.ts";
import { comment, comments } from "../../events/given.ts";
import { redactionOf } from "../../events/redaction-of.ts";
import { logOf, snapshotPlace } from "../time-travel/given.ts";
import { historyOf, makeWhole } from "../time-travel/history/given.ts";

const SECRET = "sk-live-7f3a9c0d";

/* Catches: a state that was reduced before a redaction, and is gone on with, or kept, as if it were without the words. */
async function givenComments(): Promise<EventLog> {
  const log = await logOf([]);
  await log.append([comment(SECRET), ...comments(8)]);
  return log;
}

const holdsSecret = (readModel: ReadModel) => readModel.database.serialize().includes(SECRET);

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

test("where whoever redacts is killed before what is kept was dropped, no earlier state has the words", async () => {
  const log = await givenComments();
  const { path, snapshots } = snapshotPlace();
  await takeSnapshots(log, snapshots(), 3, () => {});
  const history = historyOf(log, path);
  await makeWhole(history);
  history.close();
  const warnings: string[] = [];
  const kept = openKeptStates(path, (sentence) => warnings.push(sentence));
  const before = await stateAt(log, 6, kept);
  expect(JSON.stringify(before.database.prepare("SELECT * FROM task_comments").all())).toContain(SECRET);
  before.close();
  await log.append([await redactionOf(log, 1)]);
  const after = await stateAt(log, 6, kept);
  expect(holdsSecret(after)).toBe(false);
  expect(JSON.stringify(after.database.prepare("SELECT * FROM task_comments").all())).not.toContain(SECRET);
  after.close();
  expect(warnings).toEqual([
    "The history of the read model was not used, and is removed: an event was redacted since.",
    "The snapshot of position 6 was not used, and is removed: an event was redacted since.",
    "The snapshot of position 3 was not used, and is removed: an event was redacted since.",
  ]);
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
