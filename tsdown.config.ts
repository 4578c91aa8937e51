import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync, Visitor } from "rolldown/utils";
import { defineConfig } from "tsdown";
import * as zod from "zod";

const staging = process.env.SIGNALBOX_STAGING;
if (staging === undefined) throw new Error("Run `npm run build`, which calls this.");

/** The oldest Node.js that the package asks for, as `22.14`. */
const NODE: string = JSON.parse(
  readFileSync(new URL("package.json", import.meta.url), "utf8"),
).engines.node.replace(">=", "");

/**
 * string-width is loaded where its function is called first: what it makes when it is loaded takes 25 ms, and hardly any text of ours
 * wants it.
 */
const lazyStringWidth = {
  name: "lazy-string-width",
  resolveId: (id: string, importer?: string): string | undefined =>
    // Not the older one that cli-progress brings.
    id === "string-width" && isOurs(importer) ? LAZY : undefined,
  load: (id: string): string | undefined =>
    id === LAZY
      ? `let width; export default (text) => (width ??= require(${JSON.stringify(STRING_WIDTH)}).default)(text);`
      : undefined,
};
const LAZY = "\0lazy-string-width";

/** zod, of which a command needs nothing until it checks a value: see scripts/lazy-zod.mjs. */
const lazyZod = {
  name: "lazy-zod",
  resolveId(id: string, importer?: string): string | undefined {
    if (id === "zod" && isOurs(importer)) return LAZY_ZOD;
    return id === LAZY_ZOD || id === USED_OF_ZOD ? id : undefined;
  },
  load(id: string): string | undefined {
    if (id === USED_OF_ZOD) return `export { ${namesOfZod().join(", ")} } from "zod";`;
    if (id !== LAZY_ZOD) return undefined;
    const from = JSON.stringify(join(ROOT, "scripts", "lazy-zod.mjs"));
    return `import * as zod from "${USED_OF_ZOD}"; import { lazyZod } from ${from}; export const z = lazyZod(() => zod);`;
  },
};
/**
 * A module is run where something of it is first used, not where it is imported: a command then runs what it needs of what it imports.
 * What is required is named at each use; scripts/start.cjs answers from a list.
 */
const lazyModules = {
  name: "lazy-modules",
  renderChunk(code: string): string {
    let lazy = code;
    const ids = new Map<string, string>();
    for (const [line, name = "", id = ""] of code.matchAll(
      /^(?:let|const) (\w+) = require\("([^"]+)"\);$/gm,
    )) {
      // Where a default is taken from it, too.
      const [wrapped] = new RegExp(`^${name} = \\S+\\.__toESM\\(${name}(?:, 1)?\\);$`, "m").exec(lazy) ?? [];
      if (wrapped) lazy = lazy.replace(wrapped, "");
      lazy = lazy
        .replace(line, "")
        .replaceAll(
          new RegExp(`(?<![\\w$]|(?<!\\.\\.)\\.)${name}(?![\\w$:])`, "g"),
          `(require("${wrapped ? "default:" : ""}${id}"))`,
        );
      ids.set(name, id);
    }
    checkReplaced(lazy, ids);
    return lazy;
  },
};

/**
 * @param ids of the modules by the names that were replaced
 * @throws Error: one was a word in a text, too, or is still used
 */
function checkReplaced(code: string, ids: ReadonlyMap<string, string>): void {
  const refuse = (word: string): never => {
    throw new Error(
      `The modules ${[...ids.values()].join(", ")} cannot be run where they are first used: see ${word}.`,
    );
  };
  const isReplaced = (text: string) => [...ids.values()].some((id) => text.includes(`${id}"))`));
  const { program, errors } = parseSync("chunk.cjs", code, { sourceType: "script" });
  if (errors[0]) refuse(errors[0].message);
  new Visitor({
    Literal: ({ value }) => void (isReplaced(String(value)) && refuse(String(value))),
    TemplateElement: ({ value }) => void (isReplaced(value.raw) && refuse(value.raw)),
    Identifier({ name, start, end }) {
      const isProperty =
        code[start - 1] === "." || (code[end] === ":" && !/\bcase\s+$/.test(code.slice(0, start)));
      if (ids.has(name) && !isProperty) refuse(name);
    },
  }).visit(program);
}

/** Of the languages of zod's messages English alone: a tenth of what the program would be. */
const englishZod = {
  name: "english-zod",
  load: (id: string): string | undefined =>
    id.endsWith("/zod/v4/locales/index.js") ? 'export { default as en } from "./en.js";' : undefined,
};

const LAZY_ZOD = "signalbox:lazy-zod";
const USED_OF_ZOD = "signalbox:used-of-zod";

/** What our own modules use of zod: all of it would bring the languages of its messages. */
function namesOfZod(): string[] {
  const files = globSync("{adapters,src}/**/*.ts", { cwd: ROOT }).map((file) =>
    readFileSync(join(ROOT, file), "utf8"),
  );
  const names = files.flatMap((text) => [...text.matchAll(/\bz\.(\w+)/g)].map(([, name = ""]) => name));
  return [...new Set(names)].filter((name) => Object.hasOwn(zod, name)).sort();
}
const ROOT = fileURLToPath(new URL(".", import.meta.url));
const ADAPTERS = fileURLToPath(new URL("adapters/", import.meta.url));
const SOURCES = fileURLToPath(new URL("src/", import.meta.url));
function isOurs(file = ""): boolean {
  return file.startsWith(SOURCES) || file.startsWith(ADAPTERS);
}

const STRING_WIDTH = fileURLToPath(new URL("node_modules/string-width/index.js", import.meta.url));

/** rxjs gives Node its CommonJS files, of which nothing can be left out; its ES2015 ones are asked for by name. */
const alias = { rxjs: fileURLToPath(new URL("node_modules/rxjs/dist/esm/index.js", import.meta.url)) };

/**
 * Without blanks, comments and names of local variables, which are half of what Node has to read at each start, and of the package.
 * Names of functions and classes stay, for stack traces.
 */
const MINIFY = {
  compress: { target: `node${NODE}`, keepNames: { function: true, class: true } },
  mangle: { toplevel: false, keepNames: true },
  codegen: { removeWhitespace: true },
} as const;

/** Native code, and the driver of PostgreSQL, which only those install whose log is there. */
const NEVER_BUNDLED = ["better-sqlite3", "pg"];

/** A module may be imported at once in one place and later in another. */
const checks = { bundlerTimings: false, ineffectiveDynamicImport: false } as const;

/** As in bin/signalbox.js. */
const NEEDS_NODE = `if (!(Number(process.versions.napi) >= 10))
  throw new Error("signalbox needs Node.js ${NODE} or newer; this is " + process.versions.node + ".");`;

const library = {
  entry: {
    index: "src/index.ts",
    log: "src/api/log.ts",
    projections: "src/api/projections.ts",
    testing: "adapters/testing/testing.ts",
  },
  format: "esm",
  fixedExtension: false,
  platform: "node",
  target: `node${NODE}`,
  outDir: join(staging, "library"),
  minify: MINIFY,
} as const;

export default defineConfig([
  {
    // The library, with zod and rxjs in it: read as files of their own they cost 80 ms of CPU. Each knows schemas and Observables of
    // another copy by a mark on them, not by its classes, so a caller's own ones fit.
    ...library,
    dts: false,
    deps: { alwaysBundle: [/.*/], neverBundle: NEVER_BUNDLED, onlyBundle: false },
    alias,
    plugins: [lazyStringWidth],
    // Splitting into named files asks for it.
    inputOptions: { preserveEntrySignatures: "allow-extension", checks },
    // The exchange writes files in the order of their names: a chunk is there before what asks for it.
    outputOptions: {
      chunkFileNames: "chunk-[name]-[hash].js",
      // better-sqlite3 would end an older Node.js with a segmentation fault.
      banner: ({ imports }) => (imports.includes("better-sqlite3") ? NEEDS_NODE : ""),
      // A third of what Node would have to read. The types keep theirs; licences stand in THIRD-PARTY-LICENSES.
      comments: { legal: false, jsdoc: false },
      // What own events and tables need, what the import of `signalbox` needs, and what is loaded with the first project that is opened.
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ name: chunkOfLibrary, debugName: "library" }],
      },
    },
  },
  {
    // Its types, without what is marked as internal. Those of zod and rxjs stay imports.
    ...library,
    // `Symbol.asyncDispose`, for programs whose own settings do not name it.
    banner: { dts: '/// <reference lib="esnext.disposable" />' },
    dts: { emitDtsOnly: true, compilerOptions: { stripInternal: true } },
    inputOptions: { checks },
    outputOptions: { chunkFileNames: "chunk-[hash].d.ts" },
  },
  {
    // What checks a proof: a file by itself, to be read by whoever wants to know what it does.
    entry: { "signalbox-verify": "src/cli/proof-main.ts" },
    format: "esm",
    fixedExtension: false,
    platform: "node",
    target: `node${NODE}`,
    dts: false,
    inputOptions: { checks },
    outDir: join(staging, "library"),
  },
  {
    // What starts an agent in a sandbox: a file by itself, since it is copied to where nothing else of ours is.
    entry: { "signalbox-inside": "adapters/sandboxes/inside.ts" },
    format: "esm",
    fixedExtension: false,
    platform: "node",
    target: `node${NODE}`,
    dts: false,
    inputOptions: { checks },
    outDir: join(staging, "library"),
  },
  {
    // The program, with its dependencies: a module a file, which scripts/pack-program.mjs puts together. Native code stays outside.
    entry: { main: "src/cli/main.ts", "rebuild-worker": "src/read-model/rebuild-worker.ts" },
    format: "cjs",
    fixedExtension: false,
    platform: "node",
    target: `node${NODE}`,
    dts: false,
    outDir: join(staging, "modules"),
    unbundle: true,
    deps: { neverBundle: NEVER_BUNDLED, alwaysBundle: [/.*/], onlyBundle: false },
    alias,
    minify: MINIFY,
    plugins: [lazyZod, lazyModules, englishZod],
    inputOptions: { checks },
    outputOptions: { entryFileNames: "[name].cjs", comments: { legal: false, jsdoc: false } },
  },
]);

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/**
 * What `signalbox/projections` needs is `own`, what `import "signalbox"` needs besides `api`, all else `project`; the entries stay
 * themselves, and so does what imports `pg`, which may not be there.
 */
function chunkOfLibrary(id: string, modules: Modules): string | null {
  ofOwn ??= closureOf("src/api/projections.ts", modules);
  ofApi ??= closureOf("src/index.ts", modules);
  if (ENTRIES.includes(id) || id.startsWith(join(ADAPTERS, "testing"))) return null;
  if (ofOwn.has(id)) return "own";
  if (id.startsWith(join(ADAPTERS, "postgres"))) return "postgres";
  return ofApi.has(id) ? "api" : "project";
}

const ENTRIES = ["api/decision-of.ts", "api/log.ts", "api/projections.ts", "index.ts", "open.ts"].map(
  (file) => join(SOURCES, file),
);

let ofOwn: ReadonlySet<string> | undefined;
let ofApi: ReadonlySet<string> | undefined;

function closureOf(entry: string, modules: Modules): ReadonlySet<string> {
  const found = new Set<string>();
  const wanted = [fileURLToPath(new URL(entry, import.meta.url))];
  for (let id = wanted.pop(); id !== undefined; id = wanted.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    wanted.push(...(modules.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}
