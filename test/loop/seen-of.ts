import { from, lastValueFrom } from "rxjs";
import type { ReadLine } from "../../src/loop/agent/facts.ts";
import { NOTHING_OBSERVED, type Observed, observe } from "../../src/loop/agent/observed.ts";

/** When the lines of a test came. */
export const CAME = new Date("2026-11-22T12:00:00Z");

/** What lines of standard output tell, with those of standard error before them. */
export function seenOf(
  read: ReadLine,
  lines: readonly string[],
  complaints: readonly string[] = [],
): Promise<Observed> {
  const all = [
    ...complaints.map((text) => ({ text, from: "stderr" as const, at: CAME })),
    ...lines.map((text) => ({ text, from: "stdout" as const, at: CAME })),
  ];
  return lastValueFrom(observe(from(all), read), { defaultValue: NOTHING_OBSERVED });
}
