import type { Verb } from "../../../../events/types/signals.ts";
import { anyText, defineFilter, type FilterOf, oneOf, someOf } from "../../filter.ts";
import { verbWords } from "../../parts/verb.tsx";

/** Which cards of a timeline are wanted, as the address has it and the server is asked; of the verbs, any. */
export const cardFilter = defineFilter({
  // What an object is made of are its keys.
  verb: someOf(Object.keys(verbWords) as Verb[]),
  session: anyText,
  by: oneOf(["agent", "human"]),
  late: oneOf(["yes"]),
  text: anyText,
});

export type CardFilter = FilterOf<typeof cardFilter>;
