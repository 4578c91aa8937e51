import { z } from "zod";
import { byWhom, eventAt, listPolicies } from "../core.ts";
import { defineAnswer } from "./answer.ts";

/** The policies as `policy list` prints them, each with who set it and when. */
export const policiesAnswer = defineAnswer({
  name: "policies",
  query: z.strictObject({}),
  answer: async ({ log, readModel }) =>
    Promise.all(
      listPolicies(readModel).map(async (policy) => {
        const set = policy.position === null ? undefined : await eventAt(log, policy.position);
        return { ...policy, set: set ? { by: byWhom(set), at: set.recordedAt } : null };
      }),
    ),
});
