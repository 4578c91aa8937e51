import { resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { closeStore, logPathBeside } from "../../decisions/store.ts";
import { launchedEnvironment } from "../../environment.ts";
import type { TaskStatus } from "../../events/types/fields.ts";
import { type Format, formats } from "../../exchange/formats.ts";
import { type Restored, restoreExport } from "../../exchange/restore-log.ts";
import type { RowReport } from "../../exchange/rows/row.ts";
import { openSource } from "../../exchange/sources/open-source.ts";
import { prepareFolder, readModelPathIn } from "../../project.ts";
import {
  type CommonOptions,
  EXIT,
  guarded,
  parseStatus,
  projectOptions,
  readModelPath,
  warnOfFolder,
  withProject,
} from "../command.ts";
import { pc, print, printJson, printTable, quoteLine } from "../output.ts";

interface Options extends CommonOptions {
  readonly from?: Format;
  readonly source?: string;
  readonly status: ReadonlyMap<string, TaskStatus>;
  readonly actor: string;
  readonly dryRun?: boolean;
}

export function addImport(program: Command): void {
  projectOptions(
    program
      .command("import")
      .description("put an exported log back, or take over the tasks and the history of another program")
      .argument("<path>", "a file, or the folder of a Backlog.md; - for stdin")
      .argument("[folder]", "the project's folder; absent: the project of this folder")
      .addOption(new Option("--from <program>", "what wrote it; absent: signalbox export").choices(formats))
      .option("--source <name>", "tells it from other sources of its kind; absent: as it calls itself")
      .option(
        "--status <name=status>",
        "what a status of the source is here (repeatable)",
        addStatus,
        new Map<string, TaskStatus>(),
      )
      .option("--actor <name>", "who imports, as the log names them", "import")
      .option("--dry-run", "say what would come of it, and record nothing"),
  )
    .addHelpText(
      "after",
      "\nExamples:\n  signalbox import shop.ndjson shop-again\n  signalbox import --from prd prd.json --dry-run",
    )
    .action((path: string, folder: string | undefined, options: Options) =>
      guarded(() =>
        options.from === undefined
          ? importLog(path, folder, options)
          : importRows(path, folder, { ...options, from: options.from }),
      ),
    );
}

async function importLog(path: string, folder: string | undefined, options: Options): Promise<void> {
  const chunks = openSource(path);
  const db = folder === undefined ? readModelPath(options) : prepareFolder(resolve(folder));
  warnOfFolder(db);
  const environment = launchedEnvironment(process.env);
  const restored = await restoreExport(chunks, logPathBeside(db), environment, options.dryRun === true);
  if (options.json) printJson(restored);
  else print(`${pc.green("✓")} ${sentence(restored, options.dryRun === true)}`);
}

function sentence({ head, before, restored, replaced }: Restored, dryRun: boolean): string {
  if (restored === 0) return `Nothing to do: the project has all ${head} events of the file.`;
  const had =
    before > 0 ? `; it had ${before} of them` : replaced > 0 ? `, in place of the ${replaced} of init` : "";
  return `${restored} of ${head} events ${dryRun ? "would be" : "were"} put back, each as it was appended${had}.`;
}

async function importRows(
  path: string,
  folder: string | undefined,
  { from: format, status: statuses, actor, source, ...options }: Options & { from: Format },
): Promise<void> {
  // Readers of foreign files are needed here alone.
  const { copyInMemory, importSource } = await import("../../exchange/import-source.ts");
  const db = folder === undefined ? readModelPath(options) : readModelPathIn(resolve(folder));
  await withProject({ ...options, db, actor }, async ({ store }) => {
    const target = options.dryRun ? await copyInMemory(store, db) : store;
    const reports: RowReport[] = [];
    try {
      for await (const report of importSource(target, path, { format, statuses, actor, source })) {
        reports.push(report);
        if (options.json) print(JSON.stringify(report));
      }
    } finally {
      if (target !== store) await closeStore(target);
    }
    if (!options.json) show(reports, options.dryRun === true);
    if (reports.some(({ outcome }) => outcome === "refused")) process.exitCode = EXIT.refused;
  });
}

const OUTCOMES = ["taken", "changed", "known", "skipped", "refused"] as const;

function show(reports: readonly RowReport[], dryRun: boolean): void {
  printTable(
    ["row", "what", "outcome", "task", "position", "why"],
    reports.map(({ at, what, outcome, task, position, notes }) => [
      quoteLine(at, 40),
      what,
      outcome,
      task ?? null,
      position ?? null,
      quoteLine(notes.join("; "), 120),
    ]),
  );
  const counts = OUTCOMES.map(
    (outcome) => `${reports.filter((row) => row.outcome === outcome).length} ${outcome}`,
  );
  print(`\n${reports.length} rows: ${counts.join(", ")}${dryRun ? " (nothing was recorded)" : ""}.`);
}

function addStatus(text: string, before: ReadonlyMap<string, TaskStatus>): ReadonlyMap<string, TaskStatus> {
  const [, name, status] = /^(.+)=([a-z_]+)$/.exec(text) ?? [];
  if (name === undefined || status === undefined) {
    throw new InvalidArgumentError('It must be a status there and a status here, such as "Review=pending".');
  }
  return new Map([...before, [name, parseStatus(status)]]);
}
