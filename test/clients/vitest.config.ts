import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { needTags } from "../support/needs.ts";

/** A client that has not ended by then is taken for hanging; on a busy machine one takes 20 s to start. */
const LIMIT_MS = 240_000;

export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    setupFiles: ["test/support/own-state.ts"],
    include: ["test/clients/*.real.ts"],
    tags: needTags(),
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
    pool: "forks",
    maxWorkers: 2,
    reporters: ["default", fileURLToPath(new URL("matrix-reporter.ts", import.meta.url))],
  },
});
