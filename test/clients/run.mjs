// npm run test:clients: installs the four real clients into .cache/clients and runs test/clients with them, offline.
// Where they cannot be had it says so and ends with 0, or, with SIGNALBOX_CLIENTS=required, with 1.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const cache = join(root, ".cache", "clients");
mkdirSync(cache, { recursive: true });
copyFileSync(join(root, "test", "clients", "package.json"), join(cache, "package.json"));

// The clients work without the install scripts of what they depend on. No lock: the packages of other platforms are not everywhere to be had.
const options = ["--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=1"];
const { status: missing } = run("npm", ["ls", "--silent"], "ignore");
const installed = missing === 0 ? { status: 0 } : run("npm", ["install", ...options], "pipe");
// But for opencode, whose own script puts the program of this machine in its place.
if (installed.status === 0) run("node", ["node_modules/opencode-ai/postinstall.mjs"], "ignore");
if (installed.status !== 0) {
  const why = String(installed.stderr).split("\n").filter((line) => line.startsWith("npm error")).slice(0, 10).join("\n");
  console.log(`The real clients could not be installed, so NO test of test/clients was run:\n${why}`);
  process.exit(process.env.SIGNALBOX_CLIENTS === "required" ? 1 : 0);
}
const config = ["--config", "test/clients/vitest.config.ts"];
// Codex puts no program of its sandbox below /tmp, where the checkout itself may be.
const work = join(root.startsWith(join(tmpdir(), "/")) ? join(homedir(), ".cache", "signalbox-clients") : cache, "work");
const env = { ...process.env, SIGNALBOX_CLIENTS_WORK: work };
const tests = spawnSync("npx", ["vitest", "run", ...config, ...process.argv.slice(2)], { cwd: root, env, stdio: "inherit" });
rmSync(work, { recursive: true, force: true, maxRetries: 5 });
process.exit(tests.status ?? 1);

function run(program, args, output) {
  return spawnSync(program, args, { cwd: cache, stdio: ["ignore", "ignore", output], timeout: 300_000 });
}
