import { z } from "zod";
import { position } from "../events/types/fields.ts";
import { quoteLine } from "../lib/terminal/output.ts";
import type { KeptLearning } from "../queries/kept-learning.ts";

/** The answer to a reported learning: a new entry, or a confirmation. */
export const kept = z.strictObject({
  learning: position.describe("The entry that holds it."),
  joined: z.boolean().describe("True if an entry said the same: this confirms it."),
  confirmations: z.int().describe("How often it was said, this time included."),
  text: z.string().describe("The entry's first wording."),
}) satisfies z.ZodType<KeptLearning>;

/** The same for people. */
export function keptLearningLine({ learning, joined, confirmations, text }: KeptLearning): string {
  return joined
    ? `Joined with learning ${learning}, said ${confirmations} times: ${quoteLine(text)}`
    : `Added learning ${learning}.`;
}
