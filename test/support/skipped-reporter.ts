import type { Reporter, TestModule } from "vitest/node";
import { whyMissing } from "./needs.ts";

/** Says at the end of a run, in one line for each reason, how many tests were skipped and what would let them run. */
export default class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const module of modules)
      for (const test of module.children.allTests("skipped")) {
        const result = test.result();
        const reason = test.tags.map(whyMissing).find(Boolean) ?? (result.state === "skipped" && result.note);
        if (reason) counts.set(reason, (counts.get(reason) ?? 0) + 1);
      }
    for (const [reason, count] of counts)
      console.log(`Skipped ${count} ${count === 1 ? "test" : "tests"}: ${reason}`);
  }
}
