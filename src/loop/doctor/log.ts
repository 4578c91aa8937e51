import { existsSync } from "node:fs";
import { locationOf } from "../../config/locate-log.ts";
import { systemEnvironment } from "../../decisions/system-environment.ts";
import { type ClockLead, clockLead, describeClockLead } from "../../events/clock-lead.ts";
import type { EventLog } from "../../events/log.ts";
import { openLog } from "../../events/open-log.ts";
import { holdOpen } from "../../events/sqlite-look.ts";
import { LogError } from "../../lib/log-error.ts";
import { isInReach } from "../../read-model/ask.ts";
import { type Check, type Finding, failed, ok, skipped, warning } from "./check.ts";

/** How many of the last events are verified against their hashes. */
const LAST = 1_000;

/**
 * Whether the log opens, its head is readable, its last events are intact, and its times are not in
 * the future.
 */
export const logCheck: Check = {
  name: "log",
  async look({ readModelPath }) {
    if (readModelPath === undefined) return [skipped("log", "there is no project")];
    try {
      const location = await locationOf(readModelPath);
      // Before opening it, which creates a new -shm.
      const torn = "path" in location ? withoutIndex(location.path) : [];
      return await withLog(readModelPath, async (log) => {
        const head = await log.head();
        const { length } = await log.read(Math.max(0, head - LAST), LAST);
        const whole = length < head ? "; `signalbox verify` checks all of them" : "";
        return [
          ok("log", `${head} events; the last ${length} are unchanged${whole}`),
          clockFinding(await clockLead(log, systemEnvironment().now())),
          ...torn,
        ];
      });
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      return [failed("log", error.message, MEND[error.code] ?? "Try again.")];
    }
  },
};

/** SQLite creates and removes both together; a kill leaves both. */
function withoutIndex(path: string): Finding[] {
  if (!existsSync(`${path}-wal`) || existsSync(`${path}-shm`)) return [];
  const found = `${path}-wal exists without its -shm, which was moved or removed`;
  return [
    warning("log files", found, "Restart the programs that have the log open: they can record nothing."),
  ];
}

function clockFinding(lead: ClockLead | undefined): Finding {
  if (!lead) return ok("clock", "no event has a time in the future");
  const { found, mend } = describeClockLead(lead);
  return warning("clock", found, mend);
}

const MEND: Readonly<Partial<Record<LogError["code"], string>>> = {
  damaged:
    "Stop all programs that use the project, move .ralph/db/events.db with its -wal and -shm away, then run `signalbox restore BACKUP`.",
  newer_schema: "Update signalbox: a newer version has written to this project.",
  unknown_event_type: "Update signalbox: a newer version has written to this project.",
  bad_location: "Follow that advice.",
  no_driver: "Follow that advice.",
  server: "Follow that advice.",
  busy: "Look at the servers, and try again when they answer.",
  disk: "Follow that advice, and check that the file is readable. If it is missing, run `signalbox init` or `signalbox restore BACKUP`.",
};

/** Opens the log, runs `work`, and closes it; leaves no new file behind. @throws LogError */
export async function withLog<T>(readModelPath: string, work: (log: EventLog) => Promise<T>): Promise<T> {
  const location = await locationOf(readModelPath);
  const holder = "path" in location ? holdOpen(location.path) : undefined;
  try {
    const log = await openLog(location, systemEnvironment(), { unasked: true });
    try {
      if (!(await isInReach(log))) throw new LogError("busy", "The log's server does not answer.");
      return await work(log);
    } finally {
      await log.close();
    }
  } finally {
    // Closed last: the last connection to close removes the journal.
    holder?.close();
  }
}
