import { z } from "zod";
import { gateStates } from "../../projections/board/tables.ts";

/**
 * The result of a task's gates for its agent: from `verify`, and from `done` with its own answer.
 */
export const verification = z.strictObject({
  verified: z.boolean().describe("True if done would count: every gate is passed or skipped."),
  gates: z.array(
    z.strictObject({
      gate: z.int(),
      command: z.string(),
      state: z.enum(gateStates),
      attempts: z.int().describe("Consecutive failures."),
      max_attempts: z.int(),
      run: z.boolean().describe("True if it was run just now."),
    }),
  ),
  report: z.string().optional().describe("What failed just now, as Markdown."),
  next: z.string().describe("What prevents done, and what to do about it."),
});
export type Verification = z.infer<typeof verification>;
