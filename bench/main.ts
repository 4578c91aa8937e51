import { writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { STATE_VARIABLE } from "../src/config/state-folder.ts";
import { append } from "./benches/append.ts";
import { batch } from "./benches/batch.ts";
import { callers } from "./benches/callers.ts";
import { commands } from "./benches/commands.ts";
import { disk } from "./benches/disk.ts";
import { evidence } from "./benches/evidence.ts";
import { fleet } from "./benches/fleet.ts";
import { follow } from "./benches/follow.ts";
import { hosts } from "./benches/hosts.ts";
import { http } from "./benches/http.ts";
import { length } from "./benches/length.ts";
import { loop } from "./benches/loop.ts";
import { notices } from "./benches/notices.ts";
import { page } from "./benches/page.ts";
import { panel } from "./benches/panel.ts";
import { processes } from "./benches/processes.ts";
import { rebuild } from "./benches/rebuild.ts";
import { rivals } from "./benches/rivals.ts";
import { servers } from "./benches/servers.ts";
import { sizing } from "./benches/sizing.ts";
import { start } from "./benches/start.ts";
import { stdio } from "./benches/stdio.ts";
import { tokens } from "./benches/tokens.ts";
import { travel } from "./benches/travel.ts";
import { verify } from "./benches/verify.ts";
import { beginRun, endRun, runApart } from "./lib/apart.ts";
import type { Bench } from "./lib/bench.ts";
import { compared } from "./lib/compared.ts";
import type { Told } from "./lib/doing.ts";
import { isInstalled } from "./lib/installed.ts";
import { describeMachine } from "./lib/machine.ts";
import { HELP, readOptions } from "./lib/options.ts";
import { type Section, toMarkdown } from "./lib/report.ts";
import { RIVAL_PACKAGES } from "./lib/rivals.ts";
import { Scratch } from "./lib/scratch.ts";

const LIMIT_S = 60;
const QUICK_AT_ONCE = 4;

const BENCHES: readonly Bench[] = [
  append,
  rivals,
  batch,
  callers,
  processes,
  follow,
  disk,
  stdio,
  start,
  loop,
  evidence,
  servers,
  http,
  commands,
  rebuild,
  verify,
  length,
  travel,
  panel,
  notices,
  page,
  fleet,
  hosts,
  sizing,
  tokens,
];

const options = readOptions(process.argv.slice(2));
const unknown = options.only.filter((name) => !BENCHES.some((bench) => bench.name === name));
if (options.help || unknown.length > 0) {
  const names = BENCHES.map(({ name }) => name).join(", ");
  process.stdout.write(
    `${HELP}\nBenches: ${names}\n${unknown.length > 0 ? `Not one of them: ${unknown}\n` : ""}`,
  );
  process.exit(unknown.length > 0 ? 2 : 0);
}

if (options.one !== undefined) {
  const bench = BENCHES.find(({ name }) => name === options.one);
  const own = new Scratch(options.folder ?? "");
  // What is confirmed is kept there, not in the home of whoever runs the benches.
  process.env[STATE_VARIABLE] = join(own.folder, "state");
  const section = await bench?.run({ ...options, scratch: own });
  // Whatever it left open.
  process.send?.({ section } satisfies Told, () => process.exit());
  await new Promise(() => {});
}

const chosen = BENCHES.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
const hasRivals = RIVAL_PACKAGES.every(isInstalled);
const NO_RIVALS = "The bench `rivals` needs packages of its own: run `npm ci --prefix bench` first.";
if (options.only.includes(rivals.name) && !hasRivals) {
  process.stderr.write(`${NO_RIVALS}\n`);
  process.exit(2);
}

const scratch = new Scratch(options.folder ?? join("node_modules", ".cache", "signalbox-bench"));
beginRun(scratch.folder);
let isStopped = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => {
    isStopped = true;
    void endRun().finally(() => process.exit(128 + constants.signals[signal]));
  });
process.once("exit", () => scratch.remove());

const began = new Date();
const head = [
  "# Results",
  "",
  `Measured on ${began.toISOString().slice(0, 16).replace("T", " ")} UTC by \`npm run bench${process.argv
    .slice(2)
    .map((argument) => ` ${argument}`)
    .join("")}\`:`,
  "",
  describeMachine(scratch.folder),
  "",
  "Sides that are compared run by turns in one run. Ratios are of medians; only ratios carry over to another machine.",
  "",
].join("\n");
process.stdout.write(`${head}\n`);

const sections: string[] = [];
if (!hasRivals && chosen.includes(rivals)) {
  chosen.splice(chosen.indexOf(rivals), 1);
  process.stdout.write(`Left out: ${NO_RIVALS}\n\n`);
}
const left = [...chosen];
// A look at whether everything works need not wait for one after the other.
await Promise.all(Array.from({ length: options.quick ? QUICK_AT_ONCE : 1 }, runThoseLeft));

const minutes = ((Date.now() - began.getTime()) / 60_000).toFixed(1);
if (options.only.length > 0 || options.quick || options.compare !== undefined || !hasRivals) {
  process.stdout.write(
    `Took ${minutes} minutes. bench/results.md is left as it is; a whole run writes it.\n`,
  );
} else {
  writeFileSync(
    join("bench", "results.md"),
    [head, ...sections, `The run took ${minutes} minutes.\n`].join("\n"),
  );
  process.stdout.write(`Took ${minutes} minutes; written to bench/results.md.\n`);
}

async function runThoseLeft(): Promise<void> {
  for (let bench = left.shift(); bench; bench = left.shift()) {
    const { name, limit_s = LIMIT_S } = bench;
    const began_ms = performance.now();
    const args = [...process.argv.slice(2), "--one", name, "--folder", scratch.folder];
    const section = await measured(args, limit_s).then(toMarkdown, ({ message }: Error) => {
      process.exitCode = 1;
      return `## ${name}\n\nNot measured: ${message}.\n`;
    });
    // The signal ends this process.
    if (isStopped) await new Promise(() => {});
    sections.push(section);
    process.stdout.write(`${section}\n(${Math.round((performance.now() - began_ms) / 1_000)} s)\n\n`);
  }
}

/** Of this checkout; or of it and another commit, by turns. */
async function measured(args: readonly string[], limit_s: number): Promise<Section> {
  const { compare } = options;
  if (compare === undefined) return await runApart(args, limit_s);
  const other = process.env.SIGNALBOX_BENCH_OTHER;
  if (other === undefined) throw new Error("only `npm run bench` compares");
  const [then, now]: [Section[], Section[]] = [[], []];
  for (const side of [then, now, now, then])
    side.push(await runApart(args, limit_s, side === then ? other : undefined));
  return compared([
    { name: compare, runs: then },
    { name: "now", runs: now },
  ]);
}
