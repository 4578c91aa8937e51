// Appends what comes after the events of a project's history: `flood PATH COUNT TASKS`.
import { setTimeout as delay } from "node:timers/promises";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import { serve, sharedClock_ms } from "../lib/child.ts";
import { history, take } from "../lib/history.ts";

const [path = "", count, tasks] = process.argv.slice(2);
const log = openSqliteLog(path, systemEnvironment());
const events = history(Number(tasks));
for (let passed = 0; passed < Number(count); passed++) events.next();

serve({ append }, () => log.close());

/** Appends so many events, all that are due at once in one batch. @returns the last position */
async function append(asked: { readonly events: number; readonly perSecond: number }): Promise<number> {
  const start_ms = sharedClock_ms();
  let [done, head] = [0, 0];
  while (done < asked.events) {
    const due = Math.floor(((sharedClock_ms() - start_ms) * asked.perSecond) / 1_000);
    const batch = take(events, Math.min(due, asked.events) - done);
    if (batch.length > 0) head = (await log.append(batch)).events.at(-1)?.position ?? head;
    done += batch.length;
    await delay(1_000 / asked.perSecond);
  }
  return head;
}
