import { createInterface } from "node:readline";
import { openPostgresLog } from "../../../adapters/postgres/postgres-log.ts";
import { decide } from "../../../src/decisions/decide.ts";
import { Refusal } from "../../../src/decisions/refusal.ts";
import { stateOf } from "../../../src/decisions/state.ts";
import type { Store } from "../../../src/decisions/store.ts";
import { systemEnvironment } from "../../../src/decisions/system-environment.ts";
import { startSession } from "../../../src/operations/sessions.ts";
import { ReadModel } from "../../../src/read-model/read-model.ts";
import { catchUp } from "../../../src/read-model/worker.ts";

/*
 * claim-tasks <url> <label> <drivers> <tasks>: each driver, with a read model of its own, claims one of the ready tasks after the other
 * until none is left, and prints each claim, with how many tries it took. Begins with a line on its input.
 */
const [url = "", label = "", count = "1", tasks = "0"] = process.argv.slice(2);
const drivers = await Promise.all(Array.from({ length: Number(count) }, openDriver));
process.stdout.write("ready\n");
await new Promise((resolve) => createInterface(process.stdin).once("line", resolve));
await Promise.all(drivers.map(claimAll));
await Promise.all(drivers.map(({ log }) => log.close()));
process.stdin.destroy();

async function openDriver(): Promise<Store> {
  const environment = systemEnvironment();
  const store = {
    log: await openPostgresLog(url, environment),
    readModel: new ReadModel(":memory:"),
    environment,
  };
  await catchUp(store.readModel, store.log);
  return store;
}

async function claimAll(store: Store, driver: number): Promise<void> {
  const state = stateOf(store.readModel);
  for (let claimed = 1; ; ) {
    const ready = Array.from({ length: Number(tasks) }, (_, index) => index + 1).filter((id) => {
      const task = state.tasks.get(id);
      return task?.status === "pending";
    });
    // Of many that are ready one at random: all would want the first.
    const task = ready[Math.floor(store.environment.jitter() * ready.length)];
    if (task === undefined) return;
    const session = `${label}-${driver}-${claimed}`;
    let tries = 0;
    const decision = startSession({ task, session });
    const counted: typeof decision = {
      ...decision,
      plan(planned) {
        tries++;
        return decision.plan(planned);
      },
    };
    try {
      await decide(store, counted, { actor: "human" });
      claimed++;
      process.stdout.write(`${JSON.stringify({ task, session, tries })}\n`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      process.stdout.write(`${JSON.stringify({ task, refused: error.code, tries })}\n`);
      await catchUp(store.readModel, store.log);
    }
  }
}
