import { defineConfig } from "tsdown";

/** Native code stays outside; it is the only thing that the program needs at run time besides its own files. */
const NATIVE = ["better-sqlite3"];

export default defineConfig([
  {
    // The library: its dependencies stay imports, so that an Observable or a schema is the caller's own kind.
    entry: { index: "src/index.ts" },
    format: "esm",
    fixedExtension: false,
    platform: "node",
    target: "node20",
    dts: true,
    clean: true,
    outDir: "dist",
  },
  {
    // The program: bundled with its dependencies, since a bundled server starts in half the time.
    entry: { cli: "src/cli/main.ts" },
    format: "esm",
    fixedExtension: false,
    platform: "node",
    target: "node20",
    dts: false,
    clean: false,
    outDir: "dist",
    deps: { neverBundle: NATIVE, alwaysBundle: [/.*/], onlyBundle: false },
    outputOptions: { chunkFileNames: "[name]-[hash].js" },
  },
]);
