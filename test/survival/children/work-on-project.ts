import { createInterface } from "node:readline";
import { openStore } from "../../../src/decisions/store.ts";
import { systemEnvironment } from "../../../src/decisions/system-environment.ts";
import { LogError } from "../../../src/lib/log-error.ts";
import { catchUp } from "../../../src/read-model/worker.ts";
import type { Answer, Look, Order } from "../other-process.ts";

/*
 * work-on-project <ralph.db>: has a project open, does what each line of its input orders, one after another, and prints
 * a line of JSON with what came of it. It also follows the log, and says what it was told.
 */
/** Codes whose message says more than they do. */
const TELLING: ReadonlySet<string> = new Set(["disk", "commit_unknown"]);
const [path = ""] = process.argv.slice(2);
const { log, readModel } = await openStore(path, systemEnvironment());
const followed: number[] = [];
log.follow(0).subscribe({
  next: (events) => followed.push(...events.map(({ position }) => position)),
  // Whoever appends next is told why.
  error: () => {},
});
process.stdout.write("ready\n");
for await (const line of createInterface(process.stdin)) {
  const order: Order = JSON.parse(line);
  process.stdout.write(`${JSON.stringify("append" in order ? await append(order) : await look(order))}\n`);
}
await log.close();
readModel.close();

async function append({ append: events, condition }: Extract<Order, { append: unknown }>): Promise<Answer> {
  try {
    const appended = await log.append(events, condition);
    return { outcome: appended.outcome, positions: appended.events.map(({ position }) => position) };
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    const { code, message } = error;
    return { outcome: code, positions: [], ...(TELLING.has(code) && { message }) };
  }
}

/** Everything at this moment; the wait is for the notice that a follower gets, and ends with it. */
async function look({ look: stream }: Extract<Order, { look: unknown }>): Promise<Look> {
  const head = await log.head();
  while (followed.length < head) await new Promise((resolve) => setImmediate(resolve));
  return {
    head,
    read: (await log.read(0, 10_000)).map(({ id }) => id),
    streamVersion: await log.streamVersion(stream),
    stream: (await log.readStream(stream, 0, 10_000)).map(({ id }) => id),
    reduced: await catchUp(readModel, log),
    contentHash: readModel.contentHash(),
    followed: followed.slice(0, head),
  };
}
