import { describe } from "vitest";
import { describeAppending } from "./contract/appending.ts";
import { describeConditions } from "./contract/conditions.ts";
import { describeFollowing } from "./contract/following.ts";
import { describeIdempotency } from "./contract/idempotency.ts";
import { describeModel } from "./contract/model.ts";
import type { OpenLog } from "./contract/opened-log.ts";
import { describeReading } from "./contract/reading.ts";
import { describeRedacting } from "./contract/redacting.ts";
import { describeRefusals } from "./contract/refusals.ts";
import { describeRestoring } from "./contract/restoring.ts";

/** Every sentence of src/events/log.ts as tests, to be run against every implementation of `EventLog`. */
export function describeLog(name: string, open: OpenLog): void {
  describe(name, () => {
    describeAppending(open);
    describeIdempotency(open);
    describeConditions(open);
    describeReading(open);
    describeFollowing(open);
    describeRefusals(open);
    describeRestoring(open);
    describeRedacting(open);
    describeModel(open);
  });
}
