import fc from "fast-check";
import { expect, test } from "vitest";
import type { Store } from "../../src/decisions/store.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { histories } from "./commands.ts";
import { execute, openMemoryStore } from "./executor.ts";
import { hashOf } from "./reducing.ts";
import { assertUntil, eventsOf, runs } from "./runs.ts";

/** All that an act could have changed. */
async function contentOf({ log, readModel }: Store) {
  return { head: await log.head(), position: readModel.position(), hash: readModel.contentHash() };
}

/** The log's head, and how many rows were ever written into the read model. */
async function writesOf({ log, readModel }: Store) {
  return {
    head: await log.head(),
    writes: readModel.database.prepare("SELECT total_changes()").pluck().get(),
  };
}

test("a refused command leaves log and read model untouched", async () => {
  let refused = 0;
  await assertUntil(
    fc.asyncProperty(histories, async (history) => {
      const store = openMemoryStore();
      await execute(store, history, async (perform) => {
        // What a command finds undone in the read model it may do, refused or not.
        await catchUp(store.readModel, store.log);
        const before = await writesOf(store);
        const step = await perform();
        if (step.refusal) {
          refused += 1;
          expect(await writesOf(store), step.refusal.message).toEqual(before);
        }
        return step;
      });
      expect(store.readModel.contentHash()).toBe(hashOf(await store.log.read(0, 10_000)));
      store.readModel.close();
    }),
    30,
    () => refused > 0,
  );
});

test("repeating an accepted call under the same key or id changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const store = openMemoryStore();
      const steps = await execute(store, history);
      const before = await contentOf(store);
      for (const { send, refusal } of steps) if (!refusal) await send();
      expect(await contentOf(store)).toEqual(before);
      store.readModel.close();
    }),
    runs(30),
  );
});

test("a call sent twice at once is recorded once", async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const store = openMemoryStore();
      await execute(store, history, async (perform) => {
        const step = await perform();
        if (!step.refusal) await Promise.all([step.send(), step.send()]);
        return step;
      });
      const events = await store.log.read(0, 10_000);
      expect(events).toEqual(await eventsOf(history));
      expect(store.readModel.contentHash()).toBe(hashOf(events));
      store.readModel.close();
    }),
    runs(30),
  );
});
