import type { KeptLearning } from "../projections/queries/kept-learning.ts";
import { quoteLine } from "../terminal/output.ts";

/** What became of something that was learned, as people read it. */
export function keptLearningLine({ learning, joined, confirmations, text }: KeptLearning): string {
  return joined
    ? `Joined with learning ${learning}, said ${confirmations} times: ${quoteLine(text)}`
    : `Added learning ${learning}.`;
}
