import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // A busy machine is no fault of what is tested.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    pool: "forks",
    maxWorkers: 2,
    reporters: ["default", "./test/support/flaky-reporter.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "page",
          include: ["test/web/**/*.test.ts"],
          // Nowhere else: a property that failed once would be tried with other numbers, and pass.
          retry: Number(process.env.SIGNALBOX_PAGE_RETRIES ?? 0),
        },
      },
      {
        extends: true,
        test: {
          name: "program",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, "test/web/**"],
        },
      },
    ],
  },
});
