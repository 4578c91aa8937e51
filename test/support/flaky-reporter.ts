import type { Reporter, TestModule } from "vitest/node";

/** Names the tests that failed and then passed, where they may be run once more, with what failed: each is a fault of the test or of the program still. */
export default class FlakyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky = modules.flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => test.diagnostic()?.flaky)
        .map((test) => {
          const errors = test.result().errors ?? [];
          const failed = errors.map(({ message, stack = "", diff = "" }) =>
            [message, diff, stack].join("\n"),
          );
          return `${module.relativeModuleId} > ${test.fullName}\n${failed.join("\n")}`;
        }),
    );
    if (flaky.length === 0) return;
    console.error(`\nFailed at first, and passed when run once more:\n\n${flaky.join("\n\n")}\n`);
  }
}
