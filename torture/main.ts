import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Adapter } from "./adapter.ts";
import { backlogMd } from "./adapters/backlog-md.ts";
import { signalbox } from "./adapters/signalbox.ts";
import { swarmPlugin } from "./adapters/swarm-plugin.ts";
import { taskMaster } from "./adapters/task-master.ts";
import { CASES } from "./cases/all.ts";
import { outputOf } from "./process.ts";
import { type Row, runCase } from "./runner.ts";
import { writeTable } from "./table.ts";

const root = process.cwd();
const { values } = parseArgs({
  options: {
    tool: { type: "string", multiple: true },
    case: { type: "string", multiple: true },
    scale: { type: "string", default: "3" },
  },
});
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const tools = [signalbox(root, version), backlogMd, taskMaster, swarmPlugin].filter(
  ({ name }) => values.tool?.includes(name) ?? true,
);
const cases = CASES.filter(({ name }) => values.case?.includes(name) ?? true);
const rows = (await Promise.all(tools.map(runTool))).flat();
// Only a whole run is kept.
if (!values.tool && !values.case)
  writeFileSync(join(root, "torture", "results.md"), writeTable(rows, Number(values.scale)));

async function runTool(tool: Adapter): Promise<Row[]> {
  const installed = await install(tool);
  const done: Row[] = [];
  for (const each of cases) {
    const row = await runCase(tool, each, installed, Number(values.scale) / (tool.slowness ?? 1));
    done.push(row);
    console.log(`${tool.name}, ${each.name}: ${row.result}\n  ${row.what}`);
  }
  return done;
}

/** Installs the pinned packages of a tool in a folder of its own; what is there stays. */
async function install({ name, packages, overrides }: Adapter): Promise<string> {
  const folder = join(root, "node_modules", ".cache", "signalbox-torture", name);
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(root, "torture", "call-tool.mjs"), join(folder, "call-tool.mjs"));
  if (Object.keys(packages).length === 0) return folder;
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ private: true, dependencies: packages, overrides }),
  );
  // With the caller's proxies and certificates; no value of an environment is undefined.
  const env = { ...process.env } as Record<string, string>;
  await outputOf([{ argv: ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"], env }], folder);
  return folder;
}
