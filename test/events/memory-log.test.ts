import { openMemoryLog } from "../../src/events/memory-log.ts";
import { environmentAt, NOON } from "./given.ts";
import { describeLog } from "./log-contract.ts";

describeLog("the memory log", async () => {
  const clock = { now: NOON };
  const log = openMemoryLog(environmentAt(clock, "memory"));
  return { log, clock, another: () => log, reopen: async () => log, dispose: () => log.close() };
});
