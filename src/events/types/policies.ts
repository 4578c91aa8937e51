import { z } from "zod";
import { defineEvent } from "../event.ts";
import { projectStream } from "./fields.ts";

/** Settlement policies of a project; recorded, so that what-if can replay with other values. */
export const policyDefaults = Object.freeze({
  /** The stuck count at which a task fails (docs/rules.md, Settlement, step 7a). */
  stuck_limit: 3,
});

export const policyNames = ["stuck_limit"] as const;
export type PolicyName = (typeof policyNames)[number];

export const policySet = defineEvent({
  type: "policy.set",
  version: 1,
  description: "A policy of the project got another value, for settlements from now on.",
  payload: z.strictObject({ policy: z.enum(policyNames), value: z.int().min(1).max(1_000) }),
  stream: projectStream,
  timeline: ({ policy, value }) => `Policy ${policy} is ${value}`,
  example: { policy: "stuck_limit", value: 5 },
});

/** Every event of this family, in the order of docs/events.md. */
export const policyEvents = [policySet] as const;
