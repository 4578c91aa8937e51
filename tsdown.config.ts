import { fileURLToPath } from "node:url";
import { defineConfig } from "tsdown";

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
    // The program: bundled with its dependencies, since a bundled server starts in half the time. Native code stays
    // outside.
    entry: { cli: "src/cli/main.ts" },
    format: "esm",
    fixedExtension: false,
    platform: "node",
    target: "node20",
    dts: false,
    clean: false,
    outDir: "dist",
    deps: { neverBundle: ["better-sqlite3"], alwaysBundle: [/.*/], onlyBundle: false },
    // rxjs gives Node its CommonJS files, of which nothing can be left out; its ES2015 ones are asked for by name.
    alias: { rxjs: fileURLToPath(new URL("node_modules/rxjs/dist/esm/index.js", import.meta.url)) },
    // Blanks and comments are a third of what Node has to read at each start; names stay, for stack traces.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    outputOptions: { chunkFileNames: "[name]-[hash].js" },
  },
]);
