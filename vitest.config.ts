import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { needTags } from "./test/support/needs.ts";
import { suitesIn } from "./test/support/suites.ts";

/** A busy machine is no fault of what is tested; what `npm run test:long` tries takes hours. */
const LIMIT_MS = process.env.SIGNALBOX_LONG ? 0 : 300_000;

const { pure, slice, page, system, apart, postgres } = suitesIn(
  fileURLToPath(new URL("test", import.meta.url)),
);
const built = ["./test/support/built.ts"];
const server = ["./test/support/postgres/global-setup.ts"];

/** `npm test` runs pure and slice, `npm run test:all` everything; docs/decisions/0037-two-test-commands.md says what is where. */
export default defineConfig({
  test: {
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
    expect: { poll: { timeout: 30_000 } },
    pool: "forks",
    setupFiles: ["test/support/own-state.ts"],
    maxWorkers: 2,
    reporters: ["default", "./test/support/skipped-reporter.ts", "./test/support/failures-reporter.ts"],
    tags: [{ name: "slice", description: "The few of their kind that `npm test` runs." }, ...needTags()],
    projects: [
      { extends: true, test: { name: "pure", include: pure, isolate: false } },
      { extends: true, test: { name: "slice", include: slice, globalSetup: built } },
      { extends: true, test: { name: "page", include: page, globalSetup: built, isolate: false } },
      {
        extends: true,
        // Half of their time they wait for programs. Vitest runs projects with other numbers of workers one after the other.
        test: {
          name: "system",
          include: system,
          globalSetup: built,
          isolate: false,
          maxWorkers: 6,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "apart",
          include: apart,
          globalSetup: built,
          maxWorkers: 4,
          sequence: { groupOrder: 2 },
        },
      },
      { extends: true, test: { name: "postgres", include: postgres, globalSetup: [...built, ...server] } },
    ],
  },
});
