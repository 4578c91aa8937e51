import { writeSync } from "node:fs";
import { closeStore, openStore, type Store } from "../../../src/decisions/store.ts";
import { catchUp } from "../../../src/read-model/worker.ts";
import { environmentAt, everythingIn, NOON } from "../../events/given.ts";
import { type Reported, repeatableBatch } from "../repeatable-batch.ts";

/*
 * work-under-faults <ralph.db> <label> [--abandon]: does twice: opens the store, appends batches, reads and reduces after
 * each, closes. What fails is tried again until it succeeds; with --abandon an append that was refused is not. Prints a
 * line of JSON for what was acknowledged and for what failed.
 */
const [path = "", label = "", abandon] = process.argv.slice(2);
const OPENINGS = 2;
const BATCHES = 4;
/** More than any fault lasts. */
const ATTEMPTS = 100;

const environment = environmentAt({ now: NOON }, label);
for (let opening = 0; opening < OPENINGS; opening++) {
  const store = await untilDone("open", async () => openStore(path, environment));
  for (let number = opening * BATCHES + 1; number <= (opening + 1) * BATCHES; number++) {
    if (abandon) await tried("append", () => append(store, number));
    else await untilDone("append", () => append(store, number));
    await tried("read", () => everythingIn(store.log));
    await tried("reduce", () => catchUp(store.readModel, store.log));
  }
  await untilDone("read", () => everythingIn(store.log));
  await untilDone("reduce", () => catchUp(store.readModel, store.log));
  await closeStore(store);
}

async function append({ log }: Store, number: number): Promise<void> {
  const { events } = await log.append(repeatableBatch(label, number));
  print({ acknowledged: number, positions: events.map(({ position }) => position) });
}

async function untilDone<T>(what: string, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const done = await tried(what, work);
    if (done) return done.value;
  }
  throw new Error(`${what} failed ${ATTEMPTS} times.`);
}

async function tried<T>(what: string, work: () => Promise<T>): Promise<{ readonly value: T } | undefined> {
  try {
    return { value: await work() };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    print({
      failed: what,
      error: error.name,
      code: "code" in error ? String(error.code) : "none",
      message: String(error.stack),
    });
    return undefined;
  }
}

function print(reported: Reported): void {
  writeSync(1, `${JSON.stringify(reported)}\n`);
}
