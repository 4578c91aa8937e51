import { ordinalSuffix } from "../lib/readable.ts";
import type { RepeatingTask } from "../queries/repetitions.ts";

/** What is repeated, for people: `⟳ the same remaining work for the 2nd time (#41)`. */
export function repetitionLine(
  { kind, gate, times }: Pick<RepeatingTask, "kind" | "gate" | "times">,
  position: number,
): string {
  const what = kind === "remaining" ? "the same remaining work" : `the same failure of gate ${gate}`;
  return `⟳ ${what} for the ${times}${ordinalSuffix(times)} time (#${position})`;
}
