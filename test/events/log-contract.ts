import { describe, test } from "vitest";
import { logContract } from "../../adapters/testing/log-contract/log-contract.ts";
import type { OpenLog } from "../../adapters/testing/log-contract/opened-log.ts";
import { describeModel } from "./contract/model.ts";
import { describeProperties } from "./contract/properties.ts";

/** Tests an implementation of `EventLog` with the exported cases, then with random calls. */
export function describeLog(name: string, open: OpenLog): void {
  describe(name, () => {
    for (const { name, run } of logContract(open)) test(name, run);
    describeProperties(open);
    describeModel(open);
  });
}
