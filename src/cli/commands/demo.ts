import { existsSync, rmSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { Command } from "commander";
import { packagePath } from "../../lib/package-root.ts";
import { makePrivateFolder } from "../../lib/private-folder.ts";
import { fail, pc, print, printTable } from "../../lib/terminal/output.ts";
import type { SimulationReport } from "../../replay/run.ts";
import { loadSimulations, type Simulation } from "../../replay/simulation.ts";
import { EXIT, guarded } from "../making/command.ts";
import { progressBar } from "../printing/progress.ts";

/** Written for commander: runs the simulations, and shows how far it is. */
export function addDemo(program: Command): void {
  program
    .command("demo")
    .description("create a demo project by replaying all recorded simulations through real server processes")
    .argument("[folder]", "the project's folder; replaces an earlier demo", "signalbox-demo")
    .addHelpText("after", "\nExample:\n  signalbox demo && cd signalbox-demo && signalbox status")
    .action((folder: string) => guarded(() => demo(resolve(folder))));
}

async function demo(folder: string): Promise<void> {
  const { runCorpusInto } = await import("../../replay/run.ts");
  const simulations = loadSimulations([packagePath("fixtures/sims")]);
  if (existsSync(folder) && !existsSync(resolve(folder, MARK))) {
    fail(`${folder} exists and is not a demo. Choose another folder.`, "usage", EXIT.usage);
    return;
  }
  rmSync(folder, { recursive: true, force: true });
  makePrivateFolder(resolve(folder, ".ralph"));
  writeFileSync(resolve(folder, MARK), "Made by `signalbox demo`, which replaces this folder.\n");
  print(`Replaying ${simulations.length} recorded simulations, one server process per session …`);
  const bar = progressBar("simulations", simulations.length);
  const reports: SimulationReport[] = [];
  const started = process.hrtime.bigint();
  await runCorpusInto(folder, simulations, { inProcess: false }, (report) => {
    reports.push(report);
    bar.update(reports.length, report.id);
  });
  bar.stop();
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  show(simulations, reports, seconds);
  for (const line of demoTour(folder)) print(line);
  if (reports.some(({ ok }) => !ok)) process.exitCode = EXIT.refused;
}

/** Tells a demo's folder, which may be made anew, from a project, which never is. */
const MARK = ".ralph/demo";

function show(
  simulations: readonly Simulation[],
  reports: readonly SimulationReport[],
  seconds: number,
): void {
  const batches = [...new Set(simulations.map(({ batch }) => batch))];
  const rows = batches.map((batch) => {
    const ids = new Set(simulations.filter((one) => one.batch === batch).map(({ id }) => id));
    const own = reports.filter(({ id }) => ids.has(id));
    const sessions = own.flatMap(({ result }) => Object.values(result.sessions));
    const tasks = own.flatMap(({ result }) => Object.values(result.tasks));
    return [
      batch,
      `${own.filter(({ ok }) => ok).length}/${own.length}`,
      sessions.length,
      tally(sessions.map(({ closing, inferred }) => (inferred ? "none" : (closing ?? "none")))),
      tally(tasks.map(({ status }) => status)),
    ];
  });
  print();
  printTable(["batch", "agreed", "sessions", "closing verbs", "task statuses"], rows);
  for (const { id, differences } of reports) {
    for (const difference of differences) print(`${pc.red("✗")} ${id}: ${difference}`);
  }
  const agreed = reports.filter(({ ok }) => ok).length;
  print(
    `\n${agreed} of ${reports.length} simulations ended exactly as recorded, in ${seconds.toFixed(0)} s.`,
  );
}

/** `done 12, partial 3`: the most frequent first. */
function tally(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([value, count]) => `${value} ${count}`)
    .join(", ");
}

/** What the demo ends with: commands to run on the project in the folder. They are indented. */
export function demoTour(folder: string, cwd = process.cwd()): string[] {
  const where = relative(cwd, folder) || ".";
  const program = relative(folder, packagePath("bin/signalbox.js"));
  const command = (args: string) => `  node ${program} ${args}`;
  return [
    `\nThe demo project is in ${where}. Look around:`,
    `  cd ${where}`,
    ...["status", "inbox", "log", "task list"].map(command),
    "\nAdd a task of your own:",
    command("task add 'Try signalbox'"),
    "\nOr open it in a browser, at the address that this prints:",
    command("serve"),
  ];
}
