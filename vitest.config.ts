import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A busy machine is no fault of what is tested.
    expect: { poll: { timeout: 30_000 } },
    pool: "forks",
    maxWorkers: 2,
  },
});
