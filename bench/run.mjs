// Bundles the benches and runs them: `node bench/run.mjs --help`.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { bundle } from "./bundle.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
const made = [];
process.once("exit", () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
/** What is being run to prepare the other side, in a group of its own. */
let running;
const stop = () => {
  if (running) process.kill(-running.pid, "SIGKILL");
  process.exit(1);
};
for (const signal of SIGNALS) process.once(signal, stop);

const { values } = parseArgs({ strict: false, options: { compare: { type: "string" } } });
delete process.env.SIGNALBOX_BENCH_OTHER;
if (values.compare !== undefined) process.env.SIGNALBOX_BENCH_OTHER = await otherSide(values.compare);
made.push(await bundle(root));
// In this process, which then gets its signals.
process.argv[1] = join(made.at(-1), "main.mjs");
for (const signal of SIGNALS) process.off(signal, stop);
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
  await run("git", ["archive", "--output", join(folder, "archive.tar"), commit], root);
  await run("tar", ["-xf", "archive.tar"], folder);
  const lock = (place) => readFileSync(join(place, "package-lock.json"), "utf8");
  if (lock(folder) === lock(root)) {
    mkdirSync(join(folder, "node_modules"));
    for (const name of readdirSync(join(root, "node_modules")).filter((name) => name !== ".cache"))
      symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  } else await run("npm", ["ci", "--ignore-scripts"], folder);
  await run("npm", ["run", "build"], folder);
  rmSync(join(folder, "bench"), { recursive: true });
  cpSync(join(root, "bench"), join(folder, "bench"), {
    recursive: true,
    filter: (path) => !/bench\/(node_modules|\.cache)$/.test(path),
  });
  for (const own of ["node_modules", ".cache"]) symlinkSync(join(root, "bench", own), join(folder, "bench", own));
  return join(await bundle(folder), "main.mjs");
}

/** Runs a program to its end. @throws if it fails */
async function run(file, args, cwd) {
  running = spawn(file, args, { cwd, stdio: ["ignore", "ignore", "inherit"], detached: true });
  const [code] = await once(running, "exit");
  running = undefined;
  if (code !== 0) throw new Error(`${file} ${args.join(" ")} ended with ${code} in ${cwd}.`);
}
