import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "tsdown";

const staging = process.env.SIGNALBOX_STAGING;
if (staging === undefined) throw new Error("Run `npm run build`, which calls this.");

/** A segmenter takes 20 ms to make; string-width makes one when it is loaded, and hardly any text of ours wants it. */
const lazySegmenter = {
  name: "lazy-segmenter",
  transform(code: string, id: string): string | undefined {
    // Not the older one that cli-progress brings.
    if (id !== fileURLToPath(new URL("node_modules/string-width/index.js", import.meta.url)))
      return undefined;
    const eager = "const segmenter = new Intl.Segmenter();";
    if (!code.includes(eager)) throw new Error(`${id} makes its segmenter in another way now.`);
    const lazy = "const segmenter = { segment: (text) => (made ??= new Intl.Segmenter()).segment(text) };";
    return code.replace(eager, `let made;\n${lazy}`);
  },
};

export default defineConfig([
  {
    // The library: its dependencies stay imports, so that an Observable or a schema is the caller's own kind.
    entry: { index: "src/index.ts" },
    format: "esm",
    fixedExtension: false,
    platform: "node",
    target: "node20",
    dts: true,
    outDir: join(staging, "library"),
    // Without chunks, which a process could ask for after the next build.
    outputOptions: { codeSplitting: false },
  },
  {
    // What checks a proof: a file by itself, to be read by whoever wants to know what it does.
    entry: { "signalbox-verify": "src/cli/proof-main.ts" },
    format: "esm",
    fixedExtension: false,
    platform: "node",
    target: "node20",
    dts: false,
    outDir: join(staging, "library"),
  },
  {
    // The program: bundled with its dependencies, since a bundled server starts in half the time. Native code stays
    // outside. CommonJS, since Node 20 takes compiled code for nothing else (scripts/cached-start.mjs).
    entry: { main: "src/cli/main.ts" },
    format: "cjs",
    fixedExtension: false,
    platform: "node",
    target: "node20",
    dts: false,
    outDir: join(staging, "program"),
    deps: { neverBundle: ["better-sqlite3"], alwaysBundle: [/.*/], onlyBundle: false },
    // rxjs gives Node its CommonJS files, of which nothing can be left out; its ES2015 ones are asked for by name.
    alias: { rxjs: fileURLToPath(new URL("node_modules/rxjs/dist/esm/index.js", import.meta.url)) },
    // Blanks and comments are a third of what Node has to read at each start; names stay, for stack traces.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    plugins: [lazySegmenter],
    inputOptions: { preserveEntrySignatures: "allow-extension" },
    outputOptions: {
      entryFileNames: "[name].cjs",
      chunkFileNames: "[name]-[hash].cjs",
      // What a server needs to start is one file to read, not fifty; commands share it.
      codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: serverChunk }] },
    },
  },
]);

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** Everything that `signalbox mcp` imports without asking for it later. */
function serverChunk(id: string, modules: Modules): string | null {
  needed ??= closureOf(fileURLToPath(new URL("src/cli/commands/mcp-serve.ts", import.meta.url)), modules);
  return needed.has(id) ? "server" : null;
}

let needed: ReadonlySet<string> | undefined;

function closureOf(entry: string, modules: Modules): ReadonlySet<string> {
  const found = new Set<string>();
  const wanted = [entry];
  for (let id = wanted.pop(); id !== undefined; id = wanted.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    wanted.push(...(modules.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}
