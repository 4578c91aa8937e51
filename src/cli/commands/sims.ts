import { availableParallelism } from "node:os";
import type { Command } from "commander";
import { concatMap, from, lastValueFrom, mergeMap, tap, toArray } from "rxjs";
import { packagePath } from "../../lib/package-root.ts";
import { pc, print, printJsonLine } from "../../lib/terminal/output.ts";
import type { FileReport } from "../../replay/run.ts";
import { simulationFiles } from "../../replay/simulation.ts";
import { EXIT, guarded } from "../making/command.ts";
import { progressBar } from "../printing/progress.ts";

interface Options {
  readonly inProcess?: boolean;
  readonly json?: boolean;
}

/** Written for commander: prints each result when it is there. */
export function addSims(program: Command): void {
  program
    .command("sims")
    .description(
      "replay recorded simulations through a real server and compare the results with the expected ones",
    )
    .argument("[paths...]", "files or folders (default: the 83 that come with signalbox)")
    .option("--in-process", "run in this process instead of starting a server per session")
    .option("--json", 'print one JSON line per simulation: {"id", "ok", "result", "differences"}')
    .addHelpText("after", "\nExample:\n  signalbox sims --json | jq 'select(.ok | not)'")
    .action((paths: string[], options: Options) => guarded(() => runAll(paths, options)));
}

async function runAll(paths: readonly string[], options: Options): Promise<void> {
  const { runSimulationFile } = await import("../../replay/run.ts");
  const files = simulationFiles(paths.length > 0 ? paths : [packagePath("fixtures/sims")]);
  const bar = progressBar("simulations", files.length);
  let done = 0;
  // Each simulation has a project of its own, so they may run side by side; their reports come in order.
  const started = from(files).pipe(
    mergeMap(
      async (file, index) => {
        const report = await runSimulationFile(file, { inProcess: options.inProcess === true });
        done += 1;
        bar.update(done, report.id);
        return { index, report };
      },
      options.inProcess ? 1 : availableParallelism(),
    ),
  );
  const reports = await lastValueFrom(
    started.pipe(
      inOrder(),
      tap((report) => show(report, options)),
      toArray(),
    ),
  );
  bar.stop();
  const agreed = reports.filter(({ ok }) => ok).length;
  if (!options.json) print(`\n${agreed} of ${reports.length} simulations ended as expected.`);
  if (agreed < reports.length) process.exitCode = EXIT.refused;
}

/** Holds back what comes early. */
function inOrder() {
  const early = new Map<number, FileReport>();
  let next = 0;
  return concatMap(({ index, report }: { index: number; report: FileReport }) => {
    early.set(index, report);
    const ready: FileReport[] = [];
    for (let one = early.get(next); one; one = early.get(next)) {
      ready.push(one);
      early.delete(next++);
    }
    return ready;
  });
}

function show(report: FileReport, { json }: Options): void {
  if (json) {
    printJsonLine(report);
    return;
  }
  print(`${report.ok ? pc.green("✓") : pc.red("✗")} ${report.id}`);
  for (const difference of report.differences) print(`    ${difference}`);
}
