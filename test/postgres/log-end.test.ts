// @module-tag postgresql
import { expect, test } from "vitest";
import { endPostgresLog } from "../../adapters/postgres/end.ts";
import { openPostgresLog } from "../../adapters/postgres/postgres-log.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { comment, comments, positionsOf } from "../events/given.ts";
import { coded } from "../support/refusal.ts";
import { givenLog, loginAs, openForTest } from "./given-postgres.ts";

/* Catches: two logs that take appends, an event that is recorded while the rest is carried over, a handle that shows the past as the present. */

const FILE = "the file /srv/shop/events.db on db9";
const told = { code: "moved_to", message: expect.stringContaining(FILE) };

test("every handle of every host on a log that went elsewhere says where, and records nothing", async () => {
  const url = await givenLog();
  const hostUrl = await loginAs(url, "host");
  const [writer, reader, host] = [await openForTest(url), await openForTest(url), await openForTest(hostUrl)];
  const { events } = await writer.append(comments(3));
  const records = await reader.records(0, 10);
  await host.read(0, 10);
  const failed = new Promise((_resolve, reject) => host.follow(0).subscribe({ error: reject }));
  failed.catch(() => {});
  await endPostgresLog(url, FILE, async () => {});
  await expect(reader.head()).rejects.toMatchObject(told);
  await expect(reader.read(0, 10)).rejects.toMatchObject(told);
  await expect(reader.records(3, 10)).rejects.toMatchObject(told);
  await expect(host.append([comment("too late")])).rejects.toMatchObject(told);
  await expect(writer.append([comment("too late"), ...comments(2)])).rejects.toMatchObject(told);
  await expect(writer.restore(records)).rejects.toMatchObject(told);
  await expect(failed).rejects.toMatchObject(told);
  for (const one of [url, hostUrl])
    await expect(openPostgresLog(one, systemEnvironment())).rejects.toMatchObject(told);
  const ended = await openForTest(url, { readsMoved: true });
  expect(positionsOf(await ended.read(0, 10))).toEqual(positionsOf(events));
  await expect(ended.append([comment("too late")])).rejects.toMatchObject(told);
});

test("while the rest is carried over nobody appends, and what has waited meanwhile is never recorded", async () => {
  const url = await givenLog();
  const [writer, reader] = [await openForTest(url), await openForTest(url)];
  await writer.append(comments(3));
  let late: Promise<unknown> = Promise.resolve();
  await endPostgresLog(url, FILE, async () => {
    late = writer.append([comment("meanwhile")]);
    late.catch(() => {});
    await new Promise(setImmediate);
    expect(await reader.head()).toBe(3);
  });
  await expect(late).rejects.toMatchObject(told);
  expect(await (await openForTest(url, { readsMoved: true })).head()).toBe(3);
});

test("a log whose rest cannot be carried over goes on where it is", async () => {
  const url = await givenLog();
  const log = await openForTest(url);
  const refusal = new Error("The disk is full.");
  await expect(endPostgresLog(url, FILE, () => Promise.reject(refusal))).rejects.toThrow("The disk is full.");
  await expect(log.append(comments(1))).resolves.toMatchObject({ events: [{ position: 1 }] });
});

test("a log ends once: for its place again, for no other one, and by its owner alone", async () => {
  const url = await givenLog();
  const host = await loginAs(url, "host");
  await expect(endPostgresLog(host, FILE, async () => {})).rejects.toMatchObject(coded("server", "_owner"));
  const owner = await loginAs(url, "owner");
  await endPostgresLog(owner, FILE, async () => {});
  await endPostgresLog(owner, FILE, async () => {});
  await expect(endPostgresLog(owner, "the file /b on db9", async () => {})).rejects.toMatchObject(told);
});
