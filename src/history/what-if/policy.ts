import { readFileSync } from "node:fs";
import { z } from "zod";
import { priority } from "../../events/types/fields.ts";
import { policySet } from "../../events/types/policies.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { describeIssues, inOurWords } from "../../lib/wrong-values.ts";
import { closingRules } from "../../projections/board/policies.ts";

/** When the closing verb partial resets the stuck count to 0. */
export const resetRules = ["never", "with_learnings", "always"] as const;

/**
 * Another policy for replaying a history; absent fields stay as in the log and the rules
 * (docs/history.md#what-if explains each).
 */
export const whatIfPolicy = z.strictObject({
  stuck_limit: policySet.payload.shape.value.optional(),
  waiting_is_stuck: z.boolean().optional(),
  partial_resets: z.enum(resetRules).optional(),
  closing: z.enum(closingRules).optional(),
  /** By task id. */
  priorities: z
    .record(z.string().regex(/^[1-9]\d{0,9}$/, "a task number is a whole number, 1 or higher"), priority)
    .optional(),
});
export type WhatIfPolicy = z.infer<typeof whatIfPolicy>;

/** An invalid policy. `message` says what is wrong, and what would be right. */
export class WhatIfPolicyError extends Error {
  override readonly name = "WhatIfPolicyError";
}

/** Reads a policy from a JSON file. @throws WhatIfPolicyError */
export function readPolicy(path: string): WhatIfPolicy {
  const text = attempt(() => readFileSync(path, "utf8"), `${path} cannot be read`);
  const content: unknown = attempt(() => JSON.parse(text), `${path} is not JSON`);
  const parsed = whatIfPolicy.safeParse(content, inOurWords);
  if (parsed.success) return parsed.data;
  throw new WhatIfPolicyError(
    `${path} is not a policy: ${describeIssues(parsed.error, "policy")}. It may have ${Object.keys(whatIfPolicy.shape).join(", ")}.`,
  );
}

function attempt<T>(read: () => T, what: string): T {
  try {
    return read();
  } catch (cause) {
    const why = errorMessage(cause);
    throw new WhatIfPolicyError(`${what}: ${why}.`, { cause });
  }
}
