import type { BaselineComparison } from "../baseline.ts";
import { fenced } from "./fenced.ts";

/** What a failure has in common with the baseline, and what is new, for the agent. */
export function sinceBaseline({
  failed_before,
  same,
  new_lines,
  more,
  baseline_cut,
}: BaselineComparison): string {
  if (!failed_before) return "**Baseline:** this gate passed before your work began, so the failure is new.";
  if (same)
    return "**Baseline:** this gate failed in the same way before your work began. It must still pass.";
  const cut = baseline_cut
    ? " The middle of the earlier output was not kept, so some of these lines may be old."
    : "";
  if (new_lines.length === 0)
    return `**Baseline:** this gate also failed before your work began, and prints nothing new now.${cut}`;
  const left_out = more > 0 ? `\n\nand ${more} more.` : "";
  return (
    `**Baseline:** this gate also failed before your work began. These lines are new:${cut}\n` +
    `${fenced(new_lines.join("\n"))}${left_out}`
  );
}
