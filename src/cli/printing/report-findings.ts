import { pc, print, printJson, quoteLine } from "../../lib/terminal/output.ts";
import type { Finding } from "../../loop/doctor/check.ts";
import { EXIT } from "../making/command.ts";

/** Prints what checks found, and the remedies. The exit code is 1 if one failed. */
export function reportFindings(findings: readonly Finding[], json: boolean | undefined): void {
  if (json) printJson(findings);
  else for (const finding of findings) show(finding);
  if (findings.some(({ state }) => state === "failed")) process.exitCode = EXIT.refused;
}

const MARKS: Readonly<Record<Finding["state"], string>> = {
  ok: pc.green("✓"),
  warning: pc.yellow("!"),
  failed: pc.red("✕"),
  skipped: pc.dim("-"),
};

function show({ name, state, found, mend }: Finding): void {
  print(
    `${MARKS[state]} ${name.padEnd(13)} ${state === "skipped" ? pc.dim(quoteLine(found, 300)) : quoteLine(found, 300)}`,
  );
  if (mend !== undefined) print(`  ${"".padEnd(13)} ${pc.bold("→")} ${quoteLine(mend, 300)}`);
}
