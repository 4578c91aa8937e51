import { closeStore, openStore } from "../../../../../src/decisions/store.ts";
import { systemEnvironment } from "../../../../../src/decisions/system-environment.ts";
import { openHistory } from "../../../../../src/history/time-travel/history/history.ts";

// Makes the history of the project at PATH, so many events a turn, once it is told to, and says how far it is after each turn.
const [path = "", events = "1"] = process.argv.slice(2);
process.stdin.once("data", async () => {
  const store = await openStore(path, systemEnvironment());
  const history = openHistory(store.log, path);
  for (;;) {
    const { position, head } = await history.advance({ max_events: Number(events) });
    process.stdout.write(`${position}\n`);
    if (position === head) break;
  }
  history.close();
  await closeStore(store);
  process.exit(0);
});
process.stdout.write("ready\n");
