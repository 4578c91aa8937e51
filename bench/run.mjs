// Bundles the benches and runs them: `node bench/run.mjs --help`.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundle } from "./bundle.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
const made = [];
process.once("exit", () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, stopped);

const at = process.argv.indexOf("--compare");
if (at > 0) process.env.SIGNALBOX_BENCH_OTHER = await otherSide(process.argv[at + 1] ?? "");
const out = await bundle(root);
made.push(out);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.off(signal, stopped);
// In this process, which then gets its signals.
process.argv[1] = join(out, "main.mjs");
await import(pathToFileURL(process.argv[1]).href);

/** Builds a commit in a folder of its own, with today's benches. Returns its bundled benches. */
async function otherSide(revision) {
  const git = (...args) => execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  const commit = git("rev-parse", "--verify", "--end-of-options", `${revision}^{commit}`).trim();
  // Not below node_modules, where Node takes no types out of a configuration.
  const cache = join(root, ".cache", "bench");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "other-"));
  made.push(folder);
  execFileSync("tar", ["-x", "-C", folder], {
    input: execFileSync("git", ["archive", commit], { maxBuffer: 2 ** 30 }),
  });
  const lock = (place) => readFileSync(join(place, "package-lock.json"), "utf8");
  if (lock(folder) === lock(root)) {
    mkdirSync(join(folder, "node_modules"));
    for (const name of readdirSync(join(root, "node_modules")).filter((name) => name !== ".cache"))
      symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  } else run("npm", ["ci", "--ignore-scripts"], folder);
  run("npm", ["run", "build"], folder);
  rmSync(join(folder, "bench"), { recursive: true });
  cpSync(join(root, "bench"), join(folder, "bench"), {
    recursive: true,
    filter: (path) => !/bench\/(node_modules|\.cache)$/.test(path),
  });
  for (const own of ["node_modules", ".cache"]) symlinkSync(join(root, "bench", own), join(folder, "bench", own));
  return join(await bundle(folder), "main.mjs");
}

function run(file, args, cwd) {
  execFileSync(file, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
}

function stopped() {
  process.exit(1);
}
