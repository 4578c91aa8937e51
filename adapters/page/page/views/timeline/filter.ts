import type { CardKind } from "../../core.ts";
import { anyText, defineFilter, type FilterOf, oneOf, someOf } from "../../filter.ts";
import { verbWords } from "../../parts/verb.tsx";
import { factWords } from "./kinds.ts";

/** The filter of a timeline, in the address and in requests; several kinds mean any of them. */
export const cardFilter = defineFilter({
  // `Object.keys` returns only strings.
  kind: someOf(Object.keys({ ...verbWords, ...factWords }) as CardKind[]),
  session: anyText,
  by: oneOf(["agent", "human"]),
  late: oneOf(["yes"]),
  text: anyText,
});

export type CardFilter = FilterOf<typeof cardFilter>;
