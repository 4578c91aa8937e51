import { openMemoryLog } from "../../src/events/memory-log.ts";
import { openFile } from "../events/log-file.ts";
import { describeAccepted } from "./accepted.ts";

describeAccepted(
  "memory",
  async (environment) => {
    const log = openMemoryLog(environment());
    return { log, another: async () => log, reopen: async () => log, dispose: () => log.close() };
  },
  60,
);

describeAccepted("a file", openFile, 20);
