import { createInterface } from "node:readline";
import { openPostgresLog } from "../../../adapters/postgres/postgres-log.ts";
import { systemEnvironment } from "../../../src/decisions/system-environment.ts";
import type { EventLog } from "../../../src/events/log.ts";
import { comment } from "../../events/given.ts";

/*
 * append-and-follow <url> <label> <handles>: on each handle appends one comment after the other, and prints each as it is
 * acknowledged. The first handle follows the log and prints what it sees. A line on its input ends it.
 */
const [url = "", label = "", handles = "1"] = process.argv.slice(2);
const environment = systemEnvironment();
const opened = Array.from({ length: Number(handles) }, () =>
  openPostgresLog(url, environment, { patience_ms: 120_000 }),
);
const logs = await Promise.all(opened);
const print = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);
const now_ns = () => process.hrtime.bigint().toString();

let isEnding = false;
createInterface(process.stdin).once("line", () => {
  isEnding = true;
});
const following = logs[0]?.follow(0).subscribe({
  next: (events) => print({ seen: events.map(({ position, id }) => [position, id]) }),
  error: (error) => print({ fault: String(error) }),
});
print({ ready: true });
await Promise.all(logs.map(appendUntilTold));
following?.unsubscribe();
await Promise.all(logs.map((log) => log.close()));
process.stdin.destroy();

async function appendUntilTold(log: EventLog, handle: number): Promise<void> {
  for (let number = 1; !isEnding; number++) {
    const body = `${label}-${handle}-${number}`;
    const began = now_ns();
    try {
      const { events } = await log.append([{ ...comment(body), id: environment.newId() }]);
      const [event] = events;
      print({ body, began, ended: now_ns(), id: event?.id, position: event?.position });
    } catch (error) {
      print({ fault: `${body}: ${error}` });
      return;
    }
  }
}
