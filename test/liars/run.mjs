// Bundles the liars' corpus and its agent, and runs it: `node test/liars/run.mjs --seed 2`.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = join(root, "node_modules", ".cache", "signalbox-liars", String(process.pid));
mkdirSync(folder, { recursive: true });
const run = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" }).status ?? 1;
const bundle = (script, to) => run("test/support/bundle.mjs", join(root, script), join(folder, to));
const failed =
  bundle("test/liars/main.ts", "main.mjs") || bundle("test/loop/children/stand-in-agent.ts", "agent.mjs");
const status = failed || run(join(folder, "main.mjs"), join(folder, "agent.mjs"), ...process.argv.slice(2));
rmSync(folder, { recursive: true, force: true });
process.exit(status);
