import { readFileSync } from "node:fs";
import { packagePath } from "../../src/lib/package-root.ts";
import { stepsOf } from "./console-steps.ts";

interface Shown {
  readonly command: string;
  /** Absent: the page shows commands alone. */
  readonly output?: string;
}

/** The steps that the page of examples/overnight shows, in its order. A block of commands without output is one of them. */
export function overnightSteps(): Shown[] {
  const page = readFileSync(packagePath("examples/overnight/README.md"), "utf8");
  const blocks = [...page.matchAll(/^```(sh|console)\n([\s\S]*?)^```/gm)];
  return blocks.flatMap(([, kind, block = ""]): Shown[] =>
    kind === "sh" ? [{ command: block }] : stepsOf(block),
  );
}
