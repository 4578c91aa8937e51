// @ts-check
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build as buildProgram } from "tsdown";
import { build as buildPage } from "vite";
import { exchange } from "./exchange.mjs";
import { inputsDigest } from "./inputs-digest.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const dist = join(root, "dist");

mkdirSync(dist, { recursive: true });
const staging = mkdtempSync(join(dist, "new-"));
try {
  // Before anything is read: a file that changes during the build makes it stale.
  const inputs = inputsDigest(root);
  process.env.SIGNALBOX_STAGING = staging;
  await buildProgram({ cwd: root, logLevel: "warn" });
  await buildPage({
    configFile: join(root, "vite.config.ts"),
    build: { outDir: join(staging, "program", "web"), emptyOutDir: true },
  });
  await exchange(staging, dist, inputs);
} finally {
  rmSync(staging, { recursive: true, force: true });
}
