import { readdirSync, readlinkSync } from "node:fs";
import { closeStore, openStore } from "../../../../src/decisions/store.ts";
import { systemEnvironment } from "../../../../src/decisions/system-environment.ts";
import { stateAt } from "../../../../src/history/time-travel/state-at.ts";

// Reduces the whole log of the project at PATH, prints which files it has open, and holds the state until stdin ends.
const [path = ""] = process.argv.slice(2);
const store = await openStore(path, systemEnvironment());
const state = await stateAt(store.log, await store.log.head());
process.stdout.write(`${JSON.stringify(readdirSync("/proc/self/fd").flatMap(linkOf))}\n`);
process.stdin.resume().once("end", async () => {
  state.close();
  await closeStore(store);
});

function linkOf(name: string): string[] {
  try {
    return [readlinkSync(`/proc/self/fd/${name}`)];
  } catch {
    // It was that of the folder that was read.
    return [];
  }
}
