// Bundles the benches of a checkout.
import { cpSync, existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "rolldown";

// One build each, so that each process runs a file of its own, as the program's bundle is.
const ENTRIES = [
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
  "../src/read-model/rebuild-worker.ts",
];

/**
 * @param {string} root a checkout with its dependencies and its build
 * @returns {Promise<string>} a new folder, with the checkout's program beside the bundles
 */
export async function bundle(root) {
  const cache = join(root, "node_modules", ".cache", "signalbox-bench");
  mkdirSync(cache, { recursive: true });
  // A folder for each run, so that two at once do not take each other's bundles away.
  const out = mkdtempSync(join(cache, "bundle-"));
  for (const entry of ENTRIES) {
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
  for (const part of ["bin", "dist", "package.json"]) {
    if (existsSync(join(root, part)))
      // But for what programs that run compile, and write there at any moment.
      cpSync(join(root, part), join(out, "program", part), {
        recursive: true,
        filter: (path) => !basename(path).startsWith("v8-"),
      });
  }
  return out;
}
