import type { Verb } from "../../../../events/types/signals.ts";
import { anyText, defineFilter, type FilterOf, oneOf, someOf } from "../../filter.ts";
import { verbWords } from "../../parts/verb.tsx";

/** The filter of a timeline, in the address and in requests; several verbs mean any of them. */
export const cardFilter = defineFilter({
  // `Object.keys` returns only strings.
  verb: someOf(Object.keys(verbWords) as Verb[]),
  session: anyText,
  by: oneOf(["agent", "human"]),
  late: oneOf(["yes"]),
  text: anyText,
});

export type CardFilter = FilterOf<typeof cardFilter>;
