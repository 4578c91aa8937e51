import { appending } from "./appending.ts";
import { auditing } from "./auditing.ts";
import { conditions } from "./conditions.ts";
import { following } from "./following.ts";
import { idempotency } from "./idempotency.ts";
import { type OpenLog, withLog } from "./opened-log.ts";
import { reading } from "./reading.ts";
import { redacting } from "./redacting.ts";
import { refusals } from "./refusals.ts";
import { restoring } from "./restoring.ts";

/** One case of the contract, for a test runner: `test(name, run)`. */
export interface LogContractCase {
  readonly name: string;
  /** Opens a log, tries it, and disposes of it. Rejects with an AssertionError, or with an error of the log. */
  run(): Promise<void>;
}

/**
 * Cases that every event log must pass, to test a log of your own; signalbox's own logs pass them.
 * Pass each case to your test runner: `test(name, run)` of node:test or vitest. Each case opens
 * an empty log with `open` and disposes of it.
 *
 * Every run tries the same calls and needs no other package: signalbox's tests with random calls
 * (fast-check) are not among the cases.
 *
 * Unstable, as `signalbox/log` is: a minor version may add cases.
 *
 * @example
 * import { openMemoryLog } from "signalbox/log";
 * import { logContract } from "signalbox/testing";
 *
 * const cases = logContract(async (environment) => {
 *   const log = openMemoryLog(environment());
 *   return { log, another: async () => log, reopen: async () => log, dispose: () => log.close() };
 * });
 * for (const { name, run } of cases) {
 *   await run();
 *   console.log(`ok ${name}`);
 * }
 */
export function logContract(open: OpenLog): readonly LogContractCase[] {
  return CASES.map(({ name, check }) => ({ name, run: () => withLog(open, check) }));
}

const CASES = [
  ...appending,
  ...idempotency,
  ...conditions,
  ...reading,
  ...following,
  ...refusals,
  ...restoring,
  ...auditing,
  ...redacting,
];
