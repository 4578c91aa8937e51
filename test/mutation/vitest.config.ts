import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** These take longest, and come last: a mutant is dead at the first test that fails. */
const slowest = ["decide", "model", "reducing", "invariants", "acting", "corpus", "sqlite-log"];

class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      slowest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
    return [...files].sort(
      (one, other) => rank(one) - rank(other) || (one.moduleId < other.moduleId ? -1 : 1),
    );
  }
}

/**
 * The tests that can see a mutant: those that run the code in their own process. A module is loaded once for all files, which a
 * static mutant would not survive; those are ignored. Histories are the same in every run.
 */
export default defineConfig({
  test: {
    include: [
      "test/{decisions,events,projections,properties,seeds}/**/*.test.ts",
      "test/mcp/*.test.ts",
      "test/replay/corpus.test.ts",
      "test/survival/golden.test.ts",
    ],
    exclude: ["test/events/fsync.test.ts", "test/mcp/stdio.test.ts"],
    setupFiles: ["test/mutation/setup.ts", "test/support/own-state.ts"],
    env: { SIGNALBOX_RUNS: "10", SIGNALBOX_SEED: "1" },
    isolate: false,
    sequence: { sequencer: QuickFirst },
    testTimeout: 8_000,
    hookTimeout: 8_000,
  },
});
