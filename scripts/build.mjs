// @ts-check
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build as buildProgram } from "tsdown";
import { build as buildPage } from "vite";
import { compressPage } from "./compress-page.mjs";
import { exchange, isBuilt } from "./exchange.mjs";
import { inputsDigest } from "./inputs-digest.mjs";
import { licencesOf } from "./licences.mjs";
import { packProgram } from "./pack-program.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const dist = join(root, "dist");

// Before anything is read: a file that changes during the build makes it stale.
const inputs = inputsDigest(root);
if (isBuilt(dist, inputs)) {
  console.log("dist/ is built from the present sources.");
  process.exit();
}
mkdirSync(dist, { recursive: true });
const staging = mkdtempSync(join(dist, "new-"));
try {
  process.env.SIGNALBOX_STAGING = staging;
  const program = await buildProgram({ cwd: root, logLevel: "warn" });
  const page = await buildPage({
    configFile: join(root, "vite.config.ts"),
    build: { outDir: join(staging, "program", "web"), emptyOutDir: true },
  });
  compressPage(join(staging, "program", "web"));
  packProgram(join(staging, "modules"), join(staging, "program"));
  const parts = [...program.flatMap(({ chunks }) => chunks), ...[page].flat().flatMap(outputOf)];
  const chunks = parts.filter((part) => part.type === "chunk");
  writeFileSync(join(staging, "THIRD-PARTY-LICENSES"), licencesOf(chunks));
  await exchange(staging, dist, inputs);
} finally {
  rmSync(staging, { recursive: true, force: true });
}

/** @param {import("vite").Rolldown.RolldownOutput | import("vite").Rolldown.RolldownWatcher} built */
function outputOf(built) {
  if (!("output" in built)) throw new Error("The page is built once, not watched.");
  return built.output;
}
