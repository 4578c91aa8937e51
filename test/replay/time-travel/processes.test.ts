import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { logPathBeside } from "../../../src/decisions/store.ts";
import { systemEnvironment } from "../../../src/environment.ts";
import { createLogFile } from "../../../src/events/sqlite-file.ts";
import { openSqliteLog } from "../../../src/events/sqlite-log.ts";
import { openSnapshots } from "../../../src/replay/time-travel/snapshots.ts";
import { useChild } from "../../children.ts";
import { hashOf } from "../../properties/reducing.ts";
import { hashAt, snapshotPlace, someEvents } from "./given.ts";

const startTaking = useChild("test/replay/time-travel/children/take-snapshots.ts");

async function givenLogFile() {
  const place = snapshotPlace();
  const path = logPathBeside(place.path);
  mkdirSync(dirname(path), { recursive: true });
  createLogFile(path);
  const log = openSqliteLog(path, systemEnvironment());
  await log.append((await someEvents()).map(({ position: _, ...event }) => event));
  return { ...place, log, events: await log.read(0, 10_000) };
}

test("two processes that take the same snapshots at once leave each of them whole", async () => {
  const { path, folder, log, events } = await givenLogFile();
  const children = [startTaking(path, "5"), startTaking(path, "5")];
  for (const child of children) await child.lines.next();
  for (const child of children) child.tell("go");
  for (const child of children) await child.finish();
  const warnings: string[] = [];
  const snapshots = openSnapshots(path, (sentence) => warnings.push(sentence));
  expect(readdirSync(folder).every((name) => name.endsWith(".snapshot"))).toBe(true);
  expect(snapshots.list().map(({ position }) => position)).toContain(events.length);
  for (const { position } of snapshots.list()) {
    expect(await hashAt(log, position, { snapshots })).toBe(hashOf(events.slice(0, position)));
  }
  expect(warnings).toEqual([]);
  await log.close();
});

test("a process that is killed while it takes snapshots leaves none that is not whole, and the next one cleans up", async () => {
  const { path, folder, log, events } = await givenLogFile();
  for (let kills = 0; kills < 5; kills++) {
    const child = startTaking(path, "1");
    await child.lines.next();
    child.tell("go");
    // Each a little later than the one before.
    for (let seen = 0; seen <= kills; seen++) await child.lines.next();
    await child.kill();
  }
  const last = startTaking(path, "1");
  await last.lines.next();
  last.tell("go");
  await last.finish();
  expect(readdirSync(folder).filter((name) => !name.endsWith(".snapshot"))).toEqual([]);
  const warnings: string[] = [];
  const snapshots = openSnapshots(path, (sentence) => warnings.push(sentence));
  expect(snapshots.list().length).toBe(Math.min(events.length, 64));
  for (const position of [1, Math.floor(events.length / 2), events.length]) {
    expect(await hashAt(log, position, { snapshots })).toBe(hashOf(events.slice(0, position)));
  }
  expect(warnings).toEqual([]);
  await log.close();
});

test("what a killed process left of a snapshot is removed by the next one that is begun", async () => {
  const { snapshots, folder, files } = snapshotPlace();
  const child = startTaking("nowhere", "1");
  await child.lines.next();
  const { pid } = child.process;
  await child.kill();
  snapshots().begin(0).giveUp();
  writeFileSync(join(folder, `${pid}-left.unfinished`), "half of");
  writeFileSync(join(folder, `${process.pid}-ours.unfinished`), "half of");
  const next = snapshots().begin(0);
  next.giveUp();
  expect(files()).toEqual([`${process.pid}-ours.unfinished`]);
});
