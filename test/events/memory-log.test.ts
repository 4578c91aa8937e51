import { openMemoryLog } from "../../src/events/memory-log.ts";
import { describeLog } from "./log-contract.ts";

describeLog("the memory log", async (environment) => {
  const log = openMemoryLog(environment());
  return { log, another: async () => log, reopen: async () => log, dispose: () => log.close() };
});
