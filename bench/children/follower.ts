// Follows a log that another process appends to: `follower PATH`.
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import { serve, sharedClock_ms } from "../lib/child.ts";

const log = openSqliteLog(process.argv[2] ?? "", systemEnvironment());
const seen: [position: number, at_ms: number][] = [];
log.follow(await log.head()).subscribe((events) => {
  const at_ms = sharedClock_ms();
  for (const { position } of events) seen.push([position, at_ms]);
});

serve(
  {
    /** What was seen so far, in log order. */
    seen: () => seen,
    /** The CPU time of this process, user and system together. */
    cpu_ms() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    },
  },
  () => log.close(),
);
