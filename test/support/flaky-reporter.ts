import type { Reporter, TestModule } from "vitest/node";

/** Names the tests that failed and then passed, where `--retry` lets them: each is a fault of the test or of the program still. */
export default class FlakyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky = modules.flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => test.diagnostic()?.flaky)
        .map((test) => `  ${module.relativeModuleId} > ${test.fullName}`),
    );
    if (flaky.length > 0)
      console.error(`\nFailed at first, and passed when run once more:\n${flaky.join("\n")}\n`);
  }
}
