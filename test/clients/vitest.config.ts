import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { needTags } from "../support/needs.ts";

/** A client that has not ended by then is taken for hanging; on a busy machine one takes 20 s to start. */
const LIMIT_MS = 240_000;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  test: {
    root: here("../.."),
    setupFiles: ["test/support/own-state.ts"],
    include: ["test/clients/*.real.ts"],
    tags: needTags(),
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
    pool: "forks",
    // They mostly wait: for a model that is overloaded, for a client that hangs.
    maxWorkers: 4,
    reporters: ["default", here("matrix-reporter.ts"), here("../support/failures-reporter.ts")],
  },
});
