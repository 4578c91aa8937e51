import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { dropHistory } from "../../../../src/history/time-travel/history/history-file.ts";
import { useChild } from "../../../children.ts";
import { hashOf } from "../../../properties/reducing.ts";
import { emptyPlace, logOf, someEvents } from "../given.ts";
import { givenLogFile, hashIn, historyOf, makeWhole } from "./given.ts";

const startMaking = useChild("test/replay/time-travel/history/children/make-history.ts");

const folderOf = (path: string) => join(dirname(dirname(path)), "history");
const filesOf = (path: string) => readdirSync(folderOf(path)).filter((name) => name.endsWith(".db"));

test("two processes that build a history concurrently, while a third reads it, leave it correct", async () => {
  const { path, log, events } = await givenLogFile();
  const children = [startMaking(path, "3"), startMaking(path, "3")];
  for (const child of children) await child.says();
  const history = historyOf(log, path);
  for (const child of children) child.tell("go");
  while (history.head < events.length) {
    const position = history.head;
    expect(hashIn(history, position)).toBe(hashOf(events.slice(0, position)));
    await history.advance({ max_events: 1 });
  }
  for (const child of children) await child.finish();
  for (let position = 0; position <= events.length; position += 7) {
    expect(hashIn(history, position)).toBe(hashOf(events.slice(0, position)));
  }
  expect(filesOf(path)).toHaveLength(1);
  history.close();
  await log.close();
});

test("a process killed while it builds a history leaves a valid start for the next one", async () => {
  const { path, log, events } = await givenLogFile();
  let last = 0;
  for (let kills = 0; kills < 4; kills++) {
    const child = startMaking(path, "4");
    await child.says();
    child.tell("go");
    for (let turn = 0; turn <= kills; turn++) last = Number((await child.lines.next()).value);
    await child.kill();
  }
  const history = historyOf(log, path);
  expect(history.head).toBeGreaterThanOrEqual(last);
  expect(hashIn(history, history.head)).toBe(hashOf(events.slice(0, history.head)));
  await makeWhole(history);
  expect(hashIn(history, events.length)).toBe(hashOf(events));
  history.close();
  await log.close();
});

test("a history that another version made, or that is damaged, is rebuilt", async () => {
  const { path, log, events } = await givenLogFile();
  const first = historyOf(log, path);
  await makeWhole(first);
  first.close();
  const [made = ""] = filesOf(path);
  renameSync(join(folderOf(path), made), join(folderOf(path), "1-0123456789abcdef-other.db"));
  const second = historyOf(log, path);
  expect(second.head).toBe(0);
  await makeWhole(second);
  second.close();
  const [again = ""] = filesOf(path);
  expect(filesOf(path)).toEqual([expect.stringMatching(made.slice(0, 18))]);

  const file = join(folderOf(path), again);
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0x5a, 0, 40_000));
  const third = historyOf(log, path);
  expect(third.head).toBe(0);
  await makeWhole(third);
  expect(hashIn(third, events.length)).toBe(hashOf(events));
  third.close();
  await log.close();
});

test("the history of another log is rebuilt", async () => {
  const events = await someEvents();
  const { path } = emptyPlace();
  const before = historyOf(await logOf(events), path);
  await makeWhole(before);
  before.close();
  const log = await logOf(events, () => 1_800_000_000_000_000);
  const history = historyOf(log, path);
  expect((await history.advance()).position).toBe(0);
  await makeWhole(history);
  expect(hashIn(history, events.length)).toBe(hashOf(await log.read(0, 10_000)));
  history.close();
});

test("a removed history is gone at once for every process, and rebuilt readable by its owner only", async () => {
  const { path, log, events } = await givenLogFile();
  const history = historyOf(log, path);
  await makeWhole(history);
  for (const name of readdirSync(folderOf(path))) {
    expect(statSync(join(folderOf(path), name)).mode & 0o777).toBe(0o600);
  }
  expect(statSync(folderOf(path)).mode & 0o777).toBe(0o700);
  dropHistory(path);
  expect(() => hashIn(history, 5)).toThrow(
    expect.objectContaining({
      code: "not_possible",
      message:
        "The history is built up to position 0, so it cannot show 5. Name a position from 0 to 0, or wait until more is built.",
    }),
  );
  await makeWhole(history);
  expect(hashIn(history, 5)).toBe(hashOf(events.slice(0, 5)));
  expect(filesOf(path)).toHaveLength(1);
  history.close();
  await log.close();
});

test("events read before a removal do not enter the new history", async () => {
  const events = await someEvents();
  const { path } = emptyPlace();
  const log = await logOf(events);
  const read: typeof log.read = async (after, limit) => {
    const found = await log.read(after, limit);
    dropHistory(path);
    return found;
  };
  const history = historyOf({ ...bound(log), read }, path);
  expect((await history.advance()).position).toBe(0);
  history.close();
});

/** The methods of a log, for one of them to be another. */
function bound(log: Awaited<ReturnType<typeof logOf>>): typeof log {
  return {
    append: (...given) => log.append(...given),
    restore: (...given) => log.restore(...given),
    read: (...given) => log.read(...given),
    readStream: (...given) => log.readStream(...given),
    positionsIn: (...given) => log.positionsIn(...given),
    recordedBy: (...given) => log.recordedBy(...given),
    find: (id) => log.find(id),
    payloadHash: (position) => log.payloadHash(position),
    records: (...given) => log.records(...given),
    identity: () => log.identity(),
    audit: (...given) => log.audit(...given),
    head: () => log.head(),
    streamVersion: (stream) => log.streamVersion(stream),
    follow: (after) => log.follow(after),
    close: () => log.close(),
  };
}
