import type { EventLog } from "./log.ts";

/** Is asked before the first append, until it permits one. @throws LogError: nothing is appended */
export type Permit = (log: EventLog) => Promise<void>;

/** Has a log ask before its first append; those after it cost nothing. */
export function askBeforeAppends(log: EventLog, permit: Permit): void {
  const append = log.append.bind(log);
  log.append = async (...given) => {
    await permit(log);
    log.append = append;
    return append(...given);
  };
}
