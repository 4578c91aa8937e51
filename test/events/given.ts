import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../adapters/testing/log-contract/opened-log.ts";
import { replayEnvironment } from "../../src/decisions/system-environment.ts";
import type { Environment } from "../../src/lib/environment.ts";

export {
  answerOf,
  codeOf,
  comment,
  comments,
  everythingIn,
  id,
  numbers,
  positionsOf,
  stateReport,
} from "../../adapters/testing/log-contract/given.ts";
export { type Clock, NOON } from "../../adapters/testing/log-contract/opened-log.ts";

/** A folder of its own under the system's temporary one, and how to remove it. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "signalbox-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Ids and salts follow from the seed; two handles on one log need two seeds, or they would give the same ids. */
export function environmentAt(clock: Clock, seed: string): Environment {
  return replayEnvironment(seed, () => clock.now);
}
