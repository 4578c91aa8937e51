// Bundles the suite and runs it: `node torture/run.mjs --tool signalbox --scale 1`.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = join(root, "node_modules", ".cache", "signalbox-torture", `main-${process.pid}.mjs`);
mkdirSync(dirname(file), { recursive: true });
await build({ input: join(root, "torture", "main.ts"), platform: "node", logLevel: "warn", output: { file, format: "esm", codeSplitting: false } });
const { status } = spawnSync(process.execPath, [file, ...process.argv.slice(2)], { cwd: root, stdio: "inherit" });
process.exit(status ?? 1);
