// @module-tag postgresql
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { channelOf } from "../../adapters/postgres/wakes.ts";
import type { EventLog } from "../../src/events/log.ts";
import type { Event } from "../../src/events/types/index.ts";
import { codeOf, comment, comments, everythingIn, numbers, positionsOf } from "../events/given.ts";
import { ask } from "../support/postgres/ask.ts";
import { givenServer } from "../support/postgres/given.ts";
import { coded } from "../support/refusal.ts";
import { givenLog, openForTest, schemaOf } from "./given-postgres.ts";
import { givenProxy } from "./proxy.ts";

/*
 * Followers over a connection that ends. Catches: a follower that stays behind, goes over a gap or to another history, a process that
 * ends by an error that nobody listens for.
 */

function follow(log: EventLog) {
  const events: Event[] = [];
  const errors: unknown[] = [];
  log.follow(0).subscribe({ next: (batch) => events.push(...batch), error: (error) => errors.push(error) });
  return { positions: () => positionsOf(events), errors };
}

test("a follower whose connections are ended, again and again, gets every event once", async () => {
  const url = await givenLog();
  const writer = await openForTest(url);
  const proxy = await givenProxy(url);
  const seen = follow(await openForTest(proxy.url));
  for (let round = 1; round <= 5; round++) {
    await writer.append(comments(3));
    if (round % 2 === 0) await expect.poll(seen.positions).toEqual(numbers(round * 3));
    proxy.cut();
  }
  await expect.poll(seen.positions).toEqual(numbers(15));
  expect(seen.errors).toEqual([]);
});

test("a follower waits for a server that is away, and goes on where it was", async () => {
  const url = await givenLog();
  const writer = await openForTest(url);
  const proxy = await givenProxy(url);
  // Its reads give up soon, so that the follower meets a server that is away; not as soon as a busy machine takes to answer.
  const log = await openForTest(proxy.url, { patience_ms: 3_000 });
  const seen = follow(log);
  await writer.append(comments(3));
  await expect.poll(seen.positions).toEqual(numbers(3));
  proxy.close();
  await writer.append(comments(3));
  await expect.poll(() => codeOf(log.head())).toBe("busy");
  await proxy.heal();
  await expect.poll(seen.positions).toEqual(numbers(6));
  expect(seen.errors).toEqual([]);
});

test("an append is told to all who listen, and a follower listens", async () => {
  const url = await givenLog();
  follow(await openForTest(url));
  const channel = channelOf(new URL(url).searchParams.get("schema") ?? "");
  const listening = () => ask(url, "SELECT FROM pg_stat_activity WHERE query = $1", [`LISTEN ${channel}`]);
  await expect.poll(async () => (await listening()).length).toBe(1);
  const client = new pg.Client({ connectionString: url });
  onTestFinished(() => client.end());
  await client.connect();
  const told: unknown[] = [];
  client.on("notification", ({ payload }) => told.push(payload));
  await client.query(`LISTEN ${channel}`);
  await (await openForTest(url)).append(comments(2));
  await expect.poll(() => told).toEqual(["2"]);
});

test.each([
  ["a longer history", 9],
  ["a shorter history", 2],
])("every handle that reconnects to %s says so, and records nothing", async (_, length) => {
  const server = await givenServer({ settings: { fsync: "off" } });
  const [url, other] = [await givenLog(server), await givenLog(server)];
  const [follower, reader, writer] = [await openForTest(url), await openForTest(url), await openForTest(url)];
  const seen = follow(follower);
  await writer.append(comments(5));
  await reader.read(0, 10);
  await expect.poll(seen.positions).toEqual(numbers(5));
  const others = await openForTest(other);
  await others.append(comments(length, "other"));
  await putInPlaceOf(url, other);
  const told = { code: "history_changed", message: expect.stringContaining("position 5") };
  await expect.poll(() => seen.errors).toMatchObject([told]);
  await expect(reader.read(5, 10)).rejects.toMatchObject(told);
  await expect(writer.append([comment("behind another history")])).rejects.toMatchObject(told);
  expect(await everythingIn(await openForTest(url))).toHaveLength(length);
});

test("a primary of an earlier epoch is refused", async () => {
  const url = await givenLog(await givenServer({ settings: { fsync: "off" } }));
  const s = schemaOf(url);
  await ask(url, `UPDATE ${s}.about SET epoch = 2`);
  const log = await openForTest(url);
  expect(await log.identity()).toEqual({ log: undefined, epoch: 2 });
  await ask(url, `UPDATE ${s}.about SET epoch = 1`);
  await endConnections(url);
  await expect(log.head()).rejects.toMatchObject(coded("history_changed", "epoch is 1"));
});

/** As where a standby without the last events was promoted: another history, and no connection that was there before. */
async function putInPlaceOf(url: string, other: string): Promise<void> {
  const [s, o] = [schemaOf(url), schemaOf(other)];
  await ask(
    url,
    `SET session_replication_role = replica; BEGIN; TRUNCATE ${s}.events, ${s}.waiting;
     INSERT INTO ${s}.events SELECT * FROM ${o}.events; COMMIT`,
  );
  await endConnections(url);
}

/** Ends every connection to a server but that of the caller. */
async function endConnections(url: string): Promise<void> {
  await ask(
    url,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()",
    ["signalbox"],
  );
}
