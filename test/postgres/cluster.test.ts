// @module-tag postgresql-standbys
import { expect, test } from "vitest";
import { givenCluster } from "../support/postgres/given.ts";
import type { Server } from "../support/postgres/server.ts";

const TWO = { standbys: 2, synchronous: "ANY 1" };
const textsOn = async (server: Server) =>
  (await server.ask<{ text: string }>("SELECT text FROM notes ORDER BY text")).map(({ text }) => text);

test("what was committed is there after the primary was killed and the right standby promoted", async () => {
  const cluster = await givenCluster(TWO);
  const [behind] = cluster.standbys;
  if (behind === undefined) throw new Error("No standby.");
  const first = cluster.primary;
  await first.ask("CREATE TABLE notes (text text)");
  await cluster.cutOff(behind);
  await first.ask("INSERT INTO notes VALUES ('kept')");
  await cluster.kill(first);
  const second = await cluster.promote();
  expect(second).not.toBe(behind);
  expect(await textsOn(second)).toEqual(["kept"]);
  await second.ask("INSERT INTO notes VALUES ('later')");
  await cluster.rejoin(first);
  await cluster.kill(second);
  expect(await textsOn(await cluster.promote())).toEqual(["kept", "later"]);
});

test("a primary without standbys commits nothing until one is back", async () => {
  const cluster = await givenCluster(TWO);
  await cluster.primary.ask("CREATE TABLE notes (text text)");
  for (const standby of cluster.standbys) await cluster.cutOff(standby);
  let isCommitted = false;
  const insert = cluster.primary.ask("INSERT INTO notes VALUES ('waits')").then(() => {
    isCommitted = true;
  });
  const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
  await expect.poll(async () => (await cluster.primary.ask(waiting)).length).toBe(1);
  expect([isCommitted, await textsOn(cluster.primary)]).toEqual([false, []]);
  const [standby] = cluster.standbys;
  if (standby === undefined) throw new Error("No standby.");
  await cluster.reconnect(standby);
  await insert;
  expect(await textsOn(cluster.primary)).toEqual(["waits"]);
});
