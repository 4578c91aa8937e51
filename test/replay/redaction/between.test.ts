import { dirname } from "node:path";
import { expect, test } from "vitest";
import { redactionOf } from "../../../adapters/testing/log-contract/redaction-of.ts";
import type { EventLog } from "../../../src/events/log.ts";
import { dropHistory } from "../../../src/history/time-travel/history/history-file.ts";
import { stateAt } from "../../../src/history/time-travel/state-at.ts";
import type { ReadModel } from "../../../src/read-model/read-model.ts";
import { comment, comments } from "../../events/given.ts";
import { filesWithSecret, SECRET } from "../../support/secrets.ts";
import { emptyPlace, logOf } from "../time-travel/given.ts";
import { historyOf, makeWhole } from "../time-travel/history/given.ts";

/* Catches: a state that was reduced before a redaction, and is gone on with, or kept, as if it were without the words. */
async function givenComments(): Promise<EventLog> {
  const log = await logOf([]);
  await log.append([comment(SECRET), ...comments(8)]);
  return log;
}

const commentsIn = (readModel: ReadModel) =>
  JSON.stringify(readModel.database.prepare("SELECT * FROM task_comments").all());

test("a history built during a redaction is started over, and no state in it has the text", async () => {
  const log = await givenComments();
  const { path, cache } = emptyPlace();
  const history = historyOf(redactingAt(6, log, path), path);
  await makeWhole(history, 3);
  history.close();
  expect(filesWithSecret(dirname(dirname(path)))).toEqual([]);
  for (const position of [3, 6, 9, 10]) {
    const [kept, fresh] = [await stateAt(log, position, cache), await stateAt(log, position)];
    expect(commentsIn(kept)).not.toContain(SECRET);
    expect(kept.contentHash()).toBe(fresh.contentHash());
    for (const readModel of [kept, fresh]) readModel.close();
  }
});

test("if the redacting process is killed before the caches are removed, no past state has the text", async () => {
  const log = await givenComments();
  const { path, cache, warnings } = emptyPlace();
  const history = historyOf(log, path);
  await makeWhole(history);
  history.close();
  const before = await stateAt(log, 6, cache);
  expect(commentsIn(before)).toContain(SECRET);
  before.close();
  await log.append([await redactionOf(log, 1)]);
  const after = await stateAt(log, 6, cache);
  expect(commentsIn(after)).not.toContain(SECRET);
  after.close();
  expect(warnings).toEqual([
    "The history of the read model was not used, and is removed: an event was redacted since.",
  ]);
});

/** A log whose first event another process redacts, and cleans after it, once it was read up to a position. */
function redactingAt(position: number, log: EventLog, readModelPath: string): EventLog {
  let isDone = false;
  return {
    ...log,
    async read(after, limit) {
      const events = await log.read(after, limit);
      if (isDone || (events.at(-1)?.position ?? 0) < position) return events;
      isDone = true;
      await log.append([await redactionOf(log, 1)]);
      dropHistory(readModelPath);
      return events;
    },
  };
}
