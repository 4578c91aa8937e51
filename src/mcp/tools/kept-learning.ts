import { z } from "zod";
import { position } from "../../events/types/fields.ts";
import type { KeptLearning } from "../../projections/queries/kept-learning.ts";

/** What tools answer that something was learned by: what became of it. */
export const keptLearningOutput = z.strictObject({
  learning: position.describe("The entry that holds it."),
  joined: z.boolean().describe("True if the entry was there and says the same: this confirms it."),
  confirmations: z.int().describe("How often it was said, this time included."),
  text: z.string().describe("The entry's words, those of the first time."),
}) satisfies z.ZodType<KeptLearning>;
