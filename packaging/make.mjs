// `npm run package -- --out FOLDER` after a build: the MCP bundle, and what the MCP registry is told.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { packExtension } from "@anthropic-ai/mcpb";
import { stageBundle } from "./bundle-files.mjs";
import { manifestOf } from "./manifest.mjs";
import { serverJsonOf } from "./server-json.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const { values } = parseArgs({
  options: { out: { type: "string", default: join(root, "packaging", "out") } },
});
const { out } = values;
const of = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
writeFileSync(join(out, "server.json"), json(serverJsonOf(of)));
const staged = join(out, "bundle");
stageBundle(root, staged);
writeFileSync(join(staged, "manifest.json"), json(manifestOf(of)));
const name = `${of.name}-${of.version}.mcpb`;
// It validates the manifest before it packs.
const packed = await packExtension({ extensionPath: staged, outputPath: join(out, name), silent: true });
rmSync(staged, { recursive: true });
if (!packed)
  throw new Error("mcpb did not pack the bundle; what is wrong with its manifest is printed above.");
console.log(`${join(out, name)}\n${join(out, "server.json")}`);

function json(value) {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
