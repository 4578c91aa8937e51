// Bundles the benches and runs them: `node bench/run.mjs --help`.
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "rolldown";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(root, "node_modules", ".cache", "signalbox-bench");
process.chdir(root);
mkdirSync(cache, { recursive: true });
// A folder for each run, so that two at once do not take each other's bundles away.
const out = mkdtempSync(join(cache, "bundle-"));

// One build each, so that each process runs a file of its own, as the program's bundle is.
const entries = [
  "main.ts",
  "servers/bare-insert.ts",
  "servers/bare-stateless.ts",
  "servers/bare-tools.ts",
  "children/appender.ts",
  "children/follower.ts",
  "children/flood.ts",
  "children/fleet-host.ts",
  "children/fleet-writer.ts",
  "../test/postgres/children/claim-tasks.ts",
  // A thread of the program, which looks for it beside itself.
  "../src/projections/rebuild-worker.ts",
];
for (const entry of entries) {
  // A thread is looked for as CommonJS.
  const isThread = entry.endsWith("worker.ts");
  await build({
    input: join(root, "bench", entry),
    platform: "node",
    external: ["better-sqlite3", "pg", "playwright-core"],
    logLevel: "warn",
    output: {
      file: join(out, `${basename(entry, ".ts")}.${isThread ? "cjs" : "mjs"}`),
      format: isThread ? "cjs" : "esm",
      codeSplitting: false,
    },
  });
}

// The program as it is now, whatever is built in between.
const program = join(out, "program");
for (const part of ["bin", "dist", "package.json"]) {
  if (existsSync(join(root, part))) cpSync(join(root, part), join(program, part), { recursive: true });
}

process.once("exit", () => rmSync(out, { recursive: true, force: true }));
// In this process, which then gets its signals.
process.argv[1] = join(out, "main.mjs");
await import(pathToFileURL(process.argv[1]).href);
