import { pc, quoteLine } from "../../lib/terminal/output.ts";
import type { Finding } from "../../loop/doctor/check.ts";
import { EXIT } from "../making/command.ts";

/** What checks found, and the remedies. */
export function findingLines(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ name, state, found, mend }) => {
    const words = quoteLine(found, 300);
    return [
      `${MARKS[state]} ${name.padEnd(13)} ${state === "skipped" ? pc.dim(words) : words}`,
      ...(mend === undefined ? [] : [`  ${"".padEnd(13)} ${pc.bold("→")} ${quoteLine(mend, 300)}`]),
    ];
  });
}

/** The exit code is 1 if a check failed. */
export function exitByFindings(findings: readonly Finding[]): void {
  if (findings.some(({ state }) => state === "failed")) process.exitCode = EXIT.refused;
}

const MARKS: Readonly<Record<Finding["state"], string>> = {
  ok: pc.green("✓"),
  warning: pc.yellow("!"),
  failed: pc.red("✕"),
  skipped: pc.dim("-"),
};
