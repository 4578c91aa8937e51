import type { Finding } from "../loop/doctor/check.ts";
import { pc, print, quoteLine } from "../terminal/output.ts";

const MARKS: Readonly<Record<Finding["state"], string>> = {
  ok: pc.green("✓"),
  warning: pc.yellow("!"),
  failed: pc.red("✕"),
  skipped: pc.dim("-"),
};

/** Prints what a check found, and the remedy. */
export function showFinding({ name, state, found, mend }: Finding): void {
  print(
    `${MARKS[state]} ${name.padEnd(13)} ${state === "skipped" ? pc.dim(quoteLine(found, 300)) : quoteLine(found, 300)}`,
  );
  if (mend !== undefined) print(`  ${"".padEnd(13)} ${pc.bold("→")} ${quoteLine(mend, 300)}`);
}
