// @module-tag linux
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Acknowledged } from "../../src/events/acknowledged.ts";
import { openMemoryLog } from "../../src/events/memory-log.ts";
import { lostFrom } from "../../src/read-model/other-history.ts";
import { comments, environmentAt, id, NOON, temporaryFolder } from "./given.ts";

function given() {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const path = join(folder.path, "acknowledged");
  const open = () => {
    const acknowledged = new Acknowledged(path);
    onTestFinished(() => acknowledged.close());
    return acknowledged;
  };
  return { path, open };
}

const at = (position: number) => ({ position, id: id(position) });

test("programs of a host keep what they were answered in one file, each event in the place of its position", () => {
  const { open } = given();
  const [one, other] = [open(), open()];
  one.note([at(3), at(4)]);
  other.note([at(1), at(20_000)]);
  one.note([at(16_384 + 3)]);
  expect(open().list()).toEqual([at(1), at(4), at(16_387), at(20_000)]);
  other.forget([at(4), at(3)]);
  expect(open().list()).toEqual([at(1), at(16_387), at(20_000)]);
});

test("a file that cannot be written keeps nobody from recording", () => {
  const acknowledged = new Acknowledged("/proc/nowhere/acknowledged");
  acknowledged.note([at(1)]);
  expect(acknowledged.list()).toEqual([]);
});

test("what another history gives a kept event's position does not take its place", () => {
  const { open } = given();
  const acknowledged = open();
  acknowledged.note([at(51), at(52)]);
  const later = { position: 51, id: id(151) };
  acknowledged.note([later, later]);
  expect(open().list()).toEqual([later, at(51), at(52)]);
  acknowledged.forget([at(51), at(52)]);
  expect(open().list()).toEqual([later]);
});

test("events noted at once go to their places as one by one, over the end of the file too", () => {
  const { open } = given();
  const acknowledged = open();
  const kept = Array.from({ length: 10 }, (_, index) => at(16_379 + index));
  acknowledged.note(kept);
  expect(open().list()).toEqual(kept);
  const others = [16_381, 16_382, 16_383, 16_384].map((position) => ({ position, id: id(position + 100) }));
  acknowledged.note(others);
  const now = kept.flatMap((event) => [
    ...others.filter(({ position }) => position === event.position),
    event,
  ]);
  expect(open().list()).toEqual(now);
});

test("acknowledged events are lost where a history lacks them, whatever it has besides at their positions and after", async () => {
  const log = openMemoryLog(environmentAt({ now: NOON }, "lost"));
  const { events } = await log.append(comments(7));
  const same = events.map(({ position, id }) => ({ position, id }));
  const later = (await log.append(comments(30))).events.map(({ position, id }) => ({ position, id }));
  const lost = [8, 9, 10].map(at);
  expect(await lostFrom(log, [...same, ...lost, ...later])).toEqual(lost);
});
