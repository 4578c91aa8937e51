// @module-tag postgresql-standbys
import { expect, test } from "vitest";
import { comment, everythingIn, id } from "../events/given.ts";
import { givenFleet, givenHandles, standbysOf, waitingForStandby } from "./given-log.ts";

/*
 * An operator who cancels what waits for a standby: the server then commits, lets everybody see it, and says so in a warning alone.
 * Catches: an acknowledgement of what is on one machine only, by the one that was cancelled or by those whose events it appended.
 */

test("appends whose wait for a standby was cancelled are acknowledged only when a standby has them", async () => {
  const { cluster, url } = await givenFleet();
  const handles = await givenHandles(url, 4);
  for (const log of handles) await log.append([comment("makes the connection")]);
  for (const standby of standbysOf(cluster)) await cluster.cutOff(standby);
  const settled: string[] = [];
  const appends = handles.map((log, index) =>
    log.append([{ ...comment(`by ${index}`), id: id(index) }]).then(({ outcome }) => settled.push(outcome)),
  );
  const seen = async () => (await everythingIn(handles[0] ?? log())).length;
  const cancelled =
    "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '%take(%'";
  // Each is committed in the end, and seen; its client sends it again, and waits for a standby again.
  await expect
    .poll(async () => {
      await cluster.primary.ask(cancelled);
      return seen();
    })
    .toBe(8);
  const found = handles[1]?.find(id(0)).then(() => settled.push("found"));
  await expect.poll(() => waitingForStandby(cluster.primary)).toBeGreaterThan(1);
  expect(settled).toEqual([]);
  await cluster.reconnect(standbysOf(cluster)[0]);
  await Promise.all([...appends, found]);
  expect(await seen()).toBe(8);
});

function log(): never {
  throw new Error("No handle.");
}
