import type { RepeatingTask } from "../projections/queries/repetitions.ts";

/** What is repeated, for people: `⟳ the same remaining work for the 2nd time (#41)`. */
export function repetitionLine(
  { kind, gate, times }: Pick<RepeatingTask, "kind" | "gate" | "times">,
  position: number,
): string {
  const what = kind === "remaining" ? "the same remaining work" : `the same failure of gate ${gate}`;
  return `⟳ ${what} for the ${ordinal(times)} time (#${position})`;
}

function ordinal(number: number): string {
  const teen = number % 100 > 10 && number % 100 < 14;
  return `${number}${(teen ? undefined : ["th", "st", "nd", "rd"][number % 10]) ?? "th"}`;
}
