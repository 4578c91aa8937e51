// @module-tag postgresql
import { expect, test } from "vitest";
import type { EventLog } from "../../src/events/log.ts";
import { codeOf, comment, comments, everythingIn, id, numbers, positionsOf } from "../events/given.ts";
import { ask } from "../support/postgres/ask.ts";
import { givenLog, holdLock, openForTest, schemaOf } from "./given-postgres.ts";
import { givenProxy } from "./proxy.ts";

/*
 * Appends of many handles in one commit, and answers that get lost. Catches: an event twice or in nobody's place, a refusal that fails
 * others, an answer to another request.
 */

test("sixty-four handles append with and without conditions: each answer is true, and refused calls harm none", async () => {
  const url = await givenLog();
  const handles = await Promise.all(Array.from({ length: 64 }, () => openForTest(url)));
  const appended: { positions: number[]; bodies: string[] }[] = [];
  const codes = new Set<string>();
  await Promise.all(
    handles.map(async (log, handle) => {
      for (let round = 0; round < 6; round++) {
        const batch = comments(1 + ((handle + round) % 3), `${handle} in round ${round}`).map((each) => ({
          ...each,
          payload: { ...each.payload, task: (handle % 8) + 1 },
        }));
        const head = await log.head();
        const conditions = [
          {},
          { expectedHead: head },
          { unless: { after: head, tags: [`task-${(handle % 8) + 1}`] } },
          { expectedStreamVersion: { stream: "task-77", version: 5 } },
        ];
        try {
          const { events } = await log.append(batch, conditions[(handle + round) % 4]);
          const bodies = events.map(({ payload }) => ("body" in payload ? String(payload.body) : ""));
          appended.push({ positions: positionsOf(events), bodies });
        } catch (error) {
          codes.add(await codeOf(Promise.reject(error)));
        }
      }
    }),
  );
  expect([...codes].sort()).toEqual(["head_moved", "moved", "stream_moved"]);
  const all = await everythingIn(handles[0] as EventLog);
  expect(positionsOf(all)).toEqual(numbers(all.length));
  const bodyAt = new Map(all.map(({ position, payload }) => [position, "body" in payload && payload.body]));
  for (const { positions, bodies } of appended) {
    expect(positions).toEqual(numbers(positions.at(-1) ?? 0, positions[0]));
    expect(positions.map((position) => bodyAt.get(position))).toEqual(bodies);
  }
  expect(appended.flatMap(({ positions }) => positions)).toHaveLength(all.length);
});

test("a commit whose answer is lost is answered as the first time", async () => {
  const url = await givenLog();
  const proxy = await givenProxy(url);
  const [log, other] = [await openForTest(proxy.url), await openForTest(url)];
  await log.append([comment("makes the connection")]);
  proxy.dropAnswers();
  const append = log.append([comment("new"), { ...comment("told"), id: id(7) }]);
  await expect.poll(() => other.head()).toBe(3);
  await other.append([comment("meanwhile")]);
  proxy.cut();
  expect(positionsOf((await append).events)).toEqual([2, 3]);
  expect((await log.find(id(7)))?.position).toBe(3);
  expect(await log.head()).toBe(4);
});

test("a request that is taken after its client has sent it again is appended once", async () => {
  const url = await givenLog();
  const proxy = await givenProxy(url);
  const [log, other] = [await openForTest(proxy.url), await openForTest(url)];
  const waiting = async () =>
    Number((await ask<{ n: string }>(url, `SELECT count(*) AS n FROM ${schemaOf(url)}.waiting`))[0]?.n);
  await other.append([comment("first")]);
  const gate = await holdLock(url);
  const append = log.append([comment("once"), comment("only")]);
  await expect.poll(waiting).toBe(2);
  proxy.dropAnswers();
  proxy.cut();
  await expect.poll(waiting).toBe(3);
  await gate.release();
  expect(positionsOf((await append).events)).toEqual([2, 3]);
  await other.append([comment("last")]);
  expect(await other.head()).toBe(4);
});

test("the lines of a group that the server refuses do not fail the others, of this process or another", async () => {
  const url = await givenLog();
  await ask(url, `ALTER TABLE ${schemaOf(url)}.events ADD CHECK (actor <> 'nobody')`);
  const logs = [await openForTest(url), await openForTest(url)];
  await Promise.all(logs.map((log) => log.append([comment("makes the connection")])));
  const gate = await holdLock(url);
  const answers = Promise.all(
    logs.flatMap((log) => [
      codeOf(log.append([comment("good")])),
      codeOf(log.append([{ ...comment("bad"), actor: "nobody" }])),
      codeOf(log.append([comment("good, too")])),
    ]),
  );
  await gate.release();
  expect(await answers).toEqual(["none", "server", "none", "none", "server", "none"]);
  expect(await logs[0]?.head()).toBe(6);
});

test("while the server is away an append waits, and fails with commit_unknown or busy when its patience ends", async () => {
  const url = await givenLog();
  const proxy = await givenProxy(url);
  const log = await openForTest(proxy.url, { patience_ms: 700 });
  await log.append([comment("first")]);
  proxy.close();
  expect(await codeOf(log.append([comment("nowhere to send it")]))).toMatch(/^(busy|commit_unknown)$/);
  expect(await codeOf(log.head())).toBe("busy");
  const patient = await openForTest(url);
  const gate = await holdLock(url);
  await proxy.heal();
  // Connected again, so that the patience is not spent on that.
  await expect.poll(() => log.head().catch(() => undefined)).toBe(1);
  expect(await codeOf(log.append([{ ...comment("sent"), id: id(1) }]))).toBe("commit_unknown");
  await gate.release();
  await log.append([{ ...comment("sent"), id: id(1) }]);
  expect((await everythingIn(patient)).map(({ payload }) => "body" in payload && payload.body)).toEqual([
    "first",
    "sent",
  ]);
});

test("an append to a machine that lost its power goes to the one that took its place, long before its patience ends", async () => {
  const url = await givenLog();
  const [dead, next] = [await givenProxy(url), await givenProxy(url)];
  const both = new URL(url);
  const log = await openForTest(
    both.href.replace(both.host, `${new URL(dead.url).host},${new URL(next.url).host}`),
  );
  next.close();
  await log.append([comment("first")]);
  dead.freeze();
  const append = log.append([comment("second")]);
  await next.heal();
  expect(positionsOf((await append).events)).toEqual([2]);
  expect(await log.head()).toBe(2);
});

test("a request that the server has forgotten is posted again", async () => {
  const url = await givenLog();
  const log = await openForTest(url);
  await log.append([comment("first")]);
  const gate = await holdLock(url);
  const append = log.append([comment("second")]);
  const waiting = () => ask(url, `SELECT FROM ${schemaOf(url)}.waiting WHERE answer IS NULL`);
  await expect.poll(async () => (await waiting()).length).toBe(1);
  // As after a crash, which empties unlogged tables.
  await ask(url, `DELETE FROM ${schemaOf(url)}.waiting`);
  await gate.release();
  expect(positionsOf((await append).events)).toEqual([2]);
});
