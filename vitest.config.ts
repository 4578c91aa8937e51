import { configDefaults, defineConfig } from "vitest/config";

/** A busy machine is no fault of what is tested; what `npm run test:long` tries takes hours. */
const LIMIT_MS = process.env.SIGNALBOX_LONG ? 0 : 300_000;

export default defineConfig({
  test: {
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
    expect: { poll: { timeout: 30_000 } },
    pool: "forks",
    setupFiles: ["test/support/own-state.ts"],
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
