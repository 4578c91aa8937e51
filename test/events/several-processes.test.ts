import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { AppendCondition, EventLog } from "../../src/events/log.ts";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import type { Draft } from "../../src/events/types/index.ts";
import { type Child, useChild } from "../children.ts";
import {
  comment,
  comments,
  environmentAt,
  everythingIn,
  followed,
  id,
  NOON,
  numbers,
  positionsOf,
  temporaryFolder,
} from "./given.ts";
import { batchesOf, markOf } from "./marked-batch.ts";

/*
 * Catches: a lock that is not waited for, positions that two processes give at once, a condition or an id that is
 * checked outside of the transaction, a follower that only hears its own process.
 */

const startAppending = useChild("test/events/children/append-batches.ts");
const startSingle = useChild("test/events/children/append-once.ts");

function givenLog(): { path: string; log: EventLog } {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const path = join(folder.path, "events.db");
  createLogFile(path);
  const log = openSqliteLog(path, environmentAt({ now: NOON }, "here"));
  onTestFinished(() => log.close());
  return { path, log };
}

async function ready(child: Child): Promise<Child> {
  expect((await child.lines.next()).value).toBe("ready");
  return child;
}

const BATCHES = 50;

test.each([
  ["one after another", ""],
  ["all at once", "--at-once"],
])("four processes that append 50 batches each, %s, lose nothing and never fail", async (_how, mode) => {
  const { path, log } = givenLog();
  const sizes = [1, 2, 3, 5];
  const children = await Promise.all(
    sizes.map((size, index) => ready(startAppending(path, `child${index}`, `${BATCHES}`, `${size}`, mode))),
  );
  for (const child of children) child.tell("go");
  const answers = (await Promise.all(children.map((child) => child.finish()))).flat();

  const events = await everythingIn(log);
  expect(positionsOf(events)).toEqual(numbers(BATCHES * (1 + 2 + 3 + 5)));
  expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
  const batches = batchesOf(events);
  const acknowledged = new Map<string, number[]>(answers.map((line) => JSON.parse(line)));
  expect(acknowledged).toEqual(batches);
  expect(batches.size).toBe(4 * BATCHES);

  const versions = new Map<string, number>();
  let time = "";
  for (const { stream, streamVersion, recordedAt } of events) {
    expect(streamVersion).toBe((versions.get(stream) ?? 0) + 1);
    versions.set(stream, streamVersion);
    expect(recordedAt > time).toBe(true);
    time = recordedAt;
  }
  // Each process's batches stand in the order in which it sent them.
  for (const index of sizes.keys()) {
    const own = events
      .map(markOf)
      .filter(({ batch, place }) => batch.startsWith(`child${index}-`) && place === 1);
    expect(own.map(({ batch }) => batch)).toEqual(
      numbers(BATCHES).map((number) => `child${index}-${number}`),
    );
  }
});

test("follow sees what other processes append, while this one appends too", async () => {
  const { path, log } = givenLog();
  const arriving = [followed(log, 0, 90), followed(log, 45, 45)];
  const children = await Promise.all(
    ["a", "b"].map((label) => ready(startAppending(path, label, "20", "2"))),
  );
  for (const child of children) child.tell("go");
  for (const number of numbers(10)) await log.append([comment(`here-${number} 1/1`)]);
  await Promise.all(children.map((child) => child.finish()));
  const [all, late] = await Promise.all(arriving);
  expect(all).toEqual(await everythingIn(log));
  expect(positionsOf(late ?? [])).toEqual(numbers(90, 46));
});

async function givenTwo(path: string) {
  const children = await Promise.all([startSingle(path), startSingle(path)].map(ready));
  onTestFinished(async () => {
    for (const child of children) child.tell("end");
    await Promise.all(children.map((child) => child.finish()));
  });
  return async (...calls: readonly (readonly [readonly Draft[], AppendCondition?])[]) => {
    for (const [index, call] of calls.entries()) children[index % 2]?.tell(JSON.stringify(call));
    const lines = await Promise.all(calls.map((_, index) => children[index % 2]?.lines.next()));
    return lines.map((line): { outcome: string; positions: number[] } => JSON.parse(line?.value));
  };
}

test("of two processes that expect the same head, exactly one wins, every time", async () => {
  const { path, log } = givenLog();
  const appendInBoth = await givenTwo(path);
  for (const round of numbers(30)) {
    const condition = { expectedHead: round - 1 };
    const answers = await appendInBoth([[comment("a")], condition], [[comment("b")], condition]);
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(["appended", "head_moved"]);
  }
  expect(await log.head()).toBe(30);
});

test("of two processes that expect the same stream version, exactly one wins, every time", async () => {
  const { path, log } = givenLog();
  const appendInBoth = await givenTwo(path);
  for (const round of numbers(30)) {
    const condition = { expectedStreamVersion: { stream: "task-7", version: round - 1 } };
    const answers = await appendInBoth([[comment("a")], condition], [[comment("b")], condition]);
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(["appended", "stream_moved"]);
  }
  expect(await log.streamVersion("task-7")).toBe(30);
});

test("two processes that send the same batch get the same positions, and it is there once", async () => {
  const { path, log } = givenLog();
  const appendInBoth = await givenTwo(path);
  for (const round of numbers(30)) {
    const batch = [
      { ...comment("same"), id: id(2 * round) },
      { ...comment("batch", 8), id: id(2 * round + 1) },
    ];
    const answers = await appendInBoth([batch], [batch]);
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(["appended", "appended_before"]);
    expect(answers.map(({ positions }) => positions)).toEqual([
      [2 * round - 1, 2 * round],
      [2 * round - 1, 2 * round],
    ]);
  }
  expect(await log.head()).toBe(60);
});

test("an id that one process used with another content is a conflict in the other", async () => {
  const { path, log } = givenLog();
  const appendInBoth = await givenTwo(path);
  await log.append([{ ...comment("first"), id: id(1) }, ...comments(500)]);
  const answers = await appendInBoth(
    [[{ ...comment("second"), id: id(1) }]],
    [[{ ...comment("first"), id: id(1) }]],
  );
  expect(answers).toEqual([
    { outcome: "id_conflict", positions: [] },
    { outcome: "appended_before", positions: [1] },
  ]);
});
