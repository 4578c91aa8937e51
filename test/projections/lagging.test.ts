import { stat } from "node:fs/promises";
import { expect, test } from "vitest";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import type { EventLog } from "../../src/events/log.ts";
import { openMemoryLog } from "../../src/events/memory-log.ts";
import { LogError } from "../../src/lib/log-error.ts";
import { ask, isInReach } from "../../src/read-model/ask.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { comments } from "../events/given.ts";
import { block } from "../support/block.ts";

/* A log on a server that is away. Catches: a question that waits for it all the same, or one that ought to wait and does not. */

const away = new LogError("busy", "The log's server is away.");

/** A read model that has read three events of a log with four, whose server may be away. */
async function givenShared() {
  const own = openMemoryLog(systemEnvironment());
  await own.append(comments(3));
  const beats = { beat: async () => {}, list: async () => [] };
  let head: EventLog["head"] = own.head;
  const log: EventLog = { ...own, hosts: beats, head: () => head() };
  const readModel = new ReadModel(":memory:");
  await ask({ log, readModel }, () => {});
  await own.append(comments(1));
  return {
    store: { log, readModel },
    answer: (to: EventLog["head"]) => {
      head = to;
    },
    whole: own.head,
  };
}

const position = (readModel: ReadModel) => readModel.position();

test("a store that may lag answers from its tables while the log is away, and from the head once it is back", async () => {
  const { store, answer, whole } = await givenShared();
  const lagging = { ...store, mayLag: true };
  answer(() => Promise.reject(away));
  expect([await isInReach(store.log), await ask(lagging, position)]).toEqual([false, 3]);
  answer(whole);
  expect([await isInReach(store.log), await ask(lagging, position)]).toEqual([true, 4]);
});

test("a log that does not answer at all is waited for once, not by each question", async () => {
  const { store, answer, whole } = await givenShared();
  const asked: ((head: number) => void)[] = [];
  answer(() => new Promise((resolve) => asked.push(resolve)));
  const lagging = { ...store, mayLag: true };
  expect(await Promise.all([ask(lagging, position), ask(lagging, position)])).toEqual([3, 3]);
  expect(await ask(lagging, position)).toBe(3);
  expect(asked).toHaveLength(1);
  answer(whole);
  asked[0]?.(4);
  await expect.poll(() => ask(lagging, position)).toBe(4);
});

test("a log whose answer is there is in reach, however long this process was busy meanwhile", async () => {
  const { store, answer, whole } = await givenShared();
  answer(async () => {
    await stat(".");
    return whole();
  });
  const asked = isInReach(store.log);
  block(1_200);
  expect(await asked).toBe(true);
});

test("any other store says that the log is away, and what is no absence is always said", async () => {
  const { store, answer } = await givenShared();
  answer(() => Promise.reject(away));
  await expect(ask(store, position)).rejects.toBe(away);
  const refused = new LogError("server", "The log's server refuses the login.");
  answer(() => Promise.reject(refused));
  await expect(ask({ ...store, mayLag: true }, position)).rejects.toBe(refused);
});
