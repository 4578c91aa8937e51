import { logPathBeside } from "../../../../src/decisions/store.ts";
import { systemEnvironment } from "../../../../src/environment.ts";
import { openSqliteLog } from "../../../../src/events/sqlite-log.ts";
import { openSnapshots } from "../../../../src/replay/time-travel/snapshots.ts";
import { takeSnapshots } from "../../../../src/replay/time-travel/take-snapshots.ts";

// Takes a snapshot after each so many events of the project at PATH, once it is told to, and says each.
const [path = "", every = "1"] = process.argv.slice(2);
process.stdin.once("data", async () => {
  const log = openSqliteLog(logPathBeside(path), systemEnvironment());
  const snapshots = openSnapshots(path, (sentence) => process.stdout.write(`${sentence}\n`));
  await takeSnapshots(log, snapshots, Number(every), (position) => process.stdout.write(`${position}\n`));
  await log.close();
  process.exit(0);
});
process.stdout.write("ready\n");
