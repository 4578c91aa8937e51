import { readFileSync } from "node:fs";
import { z } from "zod";
import { priority } from "../../events/types/fields.ts";
import { type PolicyName, policies, policyNames, type ValueOf } from "../../events/types/policies.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { describeIssues, inOurWords } from "../../lib/wrong-values.ts";

// Object.fromEntries loses which value is whose.
const values = Object.fromEntries(
  policyNames.map((name) => [name, policies[name].value.optional()]),
) as unknown as { readonly [Name in PolicyName]: z.ZodOptional<z.ZodType<ValueOf<Name>>> };

/**
 * Other policies for replaying a history; absent ones stay as in the log and the rules
 * (docs/history.md#what-if).
 */
export const whatIfPolicy = z.strictObject({
  ...values,
  /** By task id. */
  priorities: z
    .record(z.string().regex(/^[1-9]\d{0,9}$/, "a task number is a whole number, 1 or higher"), priority)
    .optional(),
});
export type WhatIfPolicy = z.infer<typeof whatIfPolicy>;

/** What the log does not tell about these policies, as ends of "What-if cannot know …". */
export function unknownsOf(policy: WhatIfPolicy): string[] {
  return policyNames.filter((name) => name in policy).map((name) => policies[name].unknown);
}

/** An invalid policy. `message` says what is wrong, and what would be right. */
export class WhatIfPolicyError extends Error {
  override readonly name = "WhatIfPolicyError";
}

/** Reads a policy from a JSON file. @throws WhatIfPolicyError */
export function readPolicy(path: string): WhatIfPolicy {
  const text = attempt(() => readFileSync(path, "utf8"), `${path} cannot be read`);
  const content: unknown = attempt(() => JSON.parse(text), `${path} is not JSON`);
  const parsed = whatIfPolicy.safeParse(asToday(content), inOurWords);
  if (parsed.success) return parsed.data;
  throw new WhatIfPolicyError(
    `${path} is not a policy: ${describeIssues(parsed.error, "policy")}. It may have ${Object.keys(whatIfPolicy.shape).join(", ")}.`,
  );
}

/** Files of before 2026-11-28 say in one word when a partial resets. */
function asToday(content: unknown): unknown {
  const { partial_resets, ...rest } = { ...(content as { partial_resets?: unknown }) };
  switch (partial_resets) {
    case "always":
      return { ...rest, partial_resets: true };
    case "with_learnings":
      return { ...rest, partial_resets: false, partial_with_learnings_resets: true };
    case "never":
      return { ...rest, partial_resets: false, partial_with_learnings_resets: false };
    default:
      return content;
  }
}

function attempt<T>(read: () => T, what: string): T {
  try {
    return read();
  } catch (cause) {
    const why = errorMessage(cause);
    throw new WhatIfPolicyError(`${what}: ${why}.`, { cause });
  }
}
