import type { Command } from "commander";
import { openSnapshots } from "../../replay/time-travel/snapshots.ts";
import { takeSnapshots } from "../../replay/time-travel/take-snapshots.ts";
import {
  type CommonOptions,
  guarded,
  parseCount,
  projectOptions,
  readModelPath,
  warn,
  withProject,
} from "../command.ts";
import { printJson, printTable } from "../output.ts";
import { progressBar } from "../progress.ts";

interface Options extends CommonOptions {
  readonly every?: number;
}

export function addSnapshot(program: Command): void {
  const group = program
    .command("snapshot")
    .description("snapshots, which make --at fast on a long log; a cache");
  projectOptions(
    group
      .command("take")
      .description("take one of the present state, or several along the log")
      .option("--every <events>", "one after each so many events, as far as the limits allow", parseCount),
  )
    .addHelpText("after", "\nExample:\n  signalbox snapshot take --every 20000")
    .action((options: Options) =>
      guarded(() =>
        withProject(options, async ({ log }) => {
          const snapshots = openSnapshots(readModelPath(options), warn);
          const head = await log.head();
          const bar = progressBar("events", head);
          await takeSnapshots(log, snapshots, options.every ?? head, (position) => bar.update(position));
          bar.stop();
          show(snapshots.list(), options);
        }),
      ),
    );
  projectOptions(group.command("list", { isDefault: true }).description("list those that there are"))
    .addHelpText("after", "\nExample:\n  signalbox snapshot list")
    .action((options: CommonOptions) =>
      guarded(async () => show(openSnapshots(readModelPath(options), warn).list(), options)),
    );
}

function show(files: readonly { position: number; bytes: number }[], { json }: CommonOptions): void {
  if (json) printJson(files);
  else
    printTable(
      ["position", "MB"],
      files.map(({ position, bytes }) => [position, (bytes / 1e6).toFixed(1)]),
    );
}
