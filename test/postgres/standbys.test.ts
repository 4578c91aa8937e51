// @module-tag postgresql-standbys
import { expect, test } from "vitest";
import type { EventLog } from "../../src/events/log.ts";
import { LogError } from "../../src/lib/log-error.ts";
import { codeOf, comment, comments, everythingIn, id } from "../events/given.ts";
import { givenFleet, givenHandles, standbysOf, waitingForStandby } from "./given-log.ts";

test("what is seen is durable", async () => {
  const { cluster, url } = await givenFleet();
  const [writer, other] = await givenHandles(url, 2);
  if (!writer || !other) throw new Error("No handles.");
  await writer.append([comment("kept")]);
  const followed: number[] = [];
  const following = other
    .follow(0)
    .subscribe((events) => followed.push(...events.map(({ position }) => position)));
  await expect.poll(() => followed).toEqual([1]);

  for (const standby of standbysOf(cluster)) await cluster.cutOff(standby);
  const append = settling(writer.append([{ ...comment("unseen"), id: id(2) }]));
  await expect.poll(() => waitingForStandby(cluster.primary)).toBeGreaterThan(0);
  const [later] = await givenHandles(url, 1);
  for (const log of [writer, other, later]) {
    expect([await log?.head(), (await log?.read(0, 10))?.length, await log?.find(id(2))]).toEqual([
      1,
      1,
      undefined,
    ]);
  }
  expect([append.outcome(), followed]).toEqual([undefined, [1]]);

  await cluster.reconnect(standbysOf(cluster)[0]);
  await append.ended;
  expect(append.outcome()).toBe("appended");
  await expect.poll(() => followed).toEqual([1, 2]);
  following.unsubscribe();
});

test("where no standby answers an append waits, is not known after its patience, and stands once when it is repeated", async () => {
  const { cluster, url } = await givenFleet();
  const [log] = await givenHandles(url, 1, { patience_ms: 5_000 });
  if (!log) throw new Error("No handle.");
  await log.append([comment("kept")]);
  for (const standby of standbysOf(cluster)) await cluster.cutOff(standby);
  const event = { ...comment("waits"), id: id(2) };
  expect(await codeOf(log.append([event]))).toBe("commit_unknown");
  for (const standby of standbysOf(cluster)) await cluster.reconnect(standby);
  const { events } = await log.append([event]);
  expect(events.map(({ position }) => position)).toEqual([2]);
  await cluster.kill(cluster.primary);
  await cluster.promote();
  expect((await everythingIn(log)).map(({ payload }) => "body" in payload && payload.body)).toEqual([
    "kept",
    "waits",
  ]);
});

test("20 backends that are ended while they wait for a standby: each append is answered, and stands once", async () => {
  const { cluster, url } = await givenFleet();
  const handles = await givenHandles(url, 20);
  for (const standby of standbysOf(cluster)) await cluster.cutOff(standby);
  const appends = handles.map((log, index) =>
    settling(log.append([{ ...comment(`by ${index}`), id: id(index) }])),
  );
  const busy =
    "FROM pg_stat_activity WHERE application_name = 'signalbox' AND query LIKE '%take(%' AND state = 'active'";
  await expect.poll(async () => (await cluster.primary.ask(`SELECT 1 ${busy}`)).length).toBe(20);
  await expect.poll(() => waitingForStandby(cluster.primary)).toBeGreaterThan(0);
  await cluster.primary.ask(`SELECT pg_terminate_backend(pid) ${busy}`);
  // Sent again, they wait again: what the ended ones left is seen by now, and on no standby.
  await expect.poll(() => waitingForStandby(cluster.primary)).toBeGreaterThan(0);
  expect(appends.map(({ outcome }) => outcome())).toEqual(appends.map(() => undefined));
  await cluster.reconnect(standbysOf(cluster)[0]);
  await Promise.all(appends.map(({ ended }) => ended));
  const outcomes = appends.map(({ outcome }) => outcome());
  expect(outcomes).toContain("appended_before");
  expect(outcomes.filter((one) => one !== "appended" && one !== "appended_before")).toEqual([]);

  await cluster.kill(cluster.primary);
  await cluster.promote();
  const events = await everythingIn(handles[0] as EventLog);
  expect(events.map(({ id }) => id).toSorted()).toEqual(handles.map((_, index) => id(index)).toSorted());
});

test("the wrong standby is noticed by every open handle", async () => {
  const { cluster, url } = await givenFleet();
  const handles = await givenHandles(url, 20, { patience_ms: 20_000 });
  const [behind] = standbysOf(cluster);
  await handles[0]?.append(comments(5));
  await cluster.cutOff(behind);
  const ended = handles.map((log) => new Promise((resolve) => log.follow(0).subscribe({ error: resolve })));
  for (const [index, log] of handles.entries()) await log.append([comment(`acknowledged to ${index}`)]);
  for (const log of handles) expect(await log.read(5, 100)).toHaveLength(20);

  await cluster.kill(cluster.primary);
  await cluster.promote(behind);
  expect(
    new Set(await Promise.all(handles.map((log) => codeOf(log.append([comment("on another history")]))))),
  ).toEqual(new Set(["history_changed"]));
  expect(new Set(await Promise.all(handles.map((log) => codeOf(log.read(0, 100)))))).toEqual(
    new Set(["history_changed"]),
  );
  const faults = await Promise.all(ended);
  expect(new Set(faults.map((fault) => fault instanceof LogError && fault.code))).toEqual(
    new Set(["history_changed"]),
  );
  expect((await everythingIn((await givenHandles(url, 1))[0] as EventLog)).length).toBe(5);
});

/** What an append came to, undefined as long as it waits. */
function settling(append: ReturnType<EventLog["append"]>) {
  let outcome: string | undefined;
  const ended = append.then(
    (appended) => {
      outcome = appended.outcome;
    },
    (error) => {
      outcome = String(error);
    },
  );
  return { ended, outcome: () => outcome };
}
