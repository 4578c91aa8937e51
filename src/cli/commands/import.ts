import { existsSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type Command, Option } from "commander";
import { projectAbove } from "../../api/find-project.ts";
import { prepareFolder, readModelPathIn } from "../../api/project.ts";
import { requireKnownLog } from "../../config/known-log.ts";
import { locationOf } from "../../config/locate-log.ts";
import { closeStore, type Store } from "../../decisions/store.ts";
import { launchedEnvironment } from "../../decisions/system-environment.ts";
import { type LogLocation, logExists } from "../../events/log-location.ts";
import { openLog } from "../../events/open-log.ts";
import type { FoundText } from "../../events/redaction/without-texts.ts";
import type { TaskStatus } from "../../events/types/fields.ts";
import { takeFileLock } from "../../gates/runner/file-lock.ts";
import type { Unclean } from "../../history/redaction/clean.ts";
import { blankRestored, cleanRestored } from "../../history/redaction/restored.ts";
import { LogError } from "../../lib/log-error.ts";
import { makePrivateFolder } from "../../lib/private-folder.ts";
import { ralphFolderOf, runFolderBeside } from "../../lib/project-folder.ts";
import {
  fail,
  pc,
  print,
  printJson,
  printJsonLine,
  printTable,
  quoteLine,
} from "../../lib/terminal/output.ts";
import { BadValue } from "../../operations/command-words.ts";
import { parseStatus } from "../../operations/values.ts";
import { type Format, formats } from "../../outside/exchange/formats.ts";
import { openSource } from "../../outside/exchange/open-source.ts";
import { type Restored, restoreExport } from "../../outside/exchange/restore-log.ts";
import type { RowReport } from "../../outside/exchange/rows/row.ts";
import {
  asParser,
  type CommonOptions,
  EXIT,
  guarded,
  projectOptions,
  readModelPath,
  warnOfFolder,
  withProject,
} from "../making/command.ts";
import { uncleanWords } from "../printing/unclean-words.ts";
import { trustLogAt } from "./backup.ts";

interface Options extends CommonOptions {
  readonly from?: Format;
  readonly source?: string;
  readonly status: ReadonlyMap<string, TaskStatus>;
  readonly actor: string;
  readonly dryRun?: boolean;
}

/** Written for commander: reads a file as a stream, and makes the project where there is none. */
export function addImport(program: Command): void {
  projectOptions(
    program
      .command("import")
      .description("restore an exported log, or import tasks and history from another program")
      .argument("<path>", "a file, or a Backlog.md folder; - for stdin")
      .argument(
        "[folder]",
        "the project's folder (default: the project of this folder; where there is none, an exported log makes one here)",
      )
      .addOption(
        new Option("--from <program>", "the program that wrote the file (default: signalbox export)").choices(
          formats,
        ),
      )
      .option("--source <name>", "a name for this source, to tell it from others (default: its own name)")
      .option(
        "--status <name=status>",
        "map a status of the source to a signalbox status (repeatable)",
        asParser(addStatus),
        new Map<string, TaskStatus>(),
      )
      .option("--actor <name>", "the actor's name in the log", "import")
      .option("--dry-run", "show the result without recording anything"),
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
  const { json, dryRun = false } = options;
  const chunks = openSource(path);
  const db =
    folder === undefined
      ? readModelPath({ db: options.db ?? projectAbove(process.cwd()) ?? "." })
      : readModelPathIn(resolve(folder));
  warnOfFolder(db);
  const ralph = ralphFolderOf(db);
  const mayMake = basename(ralph) === ".ralph" && !dryRun;
  const isMade = mayMake && !existsSync(ralph);
  if (mayMake) prepareFolder(dirname(ralph));
  const environment = launchedEnvironment(process.env);
  const location = await locationOf(db);
  const isNew = mayMake && !logExists(location);
  const removed: FoundText[] = [];
  const restore = () =>
    restoreExport(chunks, location, environment, {
      dryRun,
      beforeRemoval(texts) {
        removed.push(...texts);
        blankRestored(db, texts);
      },
    });
  const restoreAlone = () =>
    intoKnownLog(db, location, restore).catch((error: unknown) => {
      // Where nothing came no project stays. While this is locked nobody else is importing into it.
      if (isMade && !logExists(location)) rmSync(ralph, { recursive: true, force: true });
      throw error;
    });
  const restored = dryRun ? await restore() : await aloneImporting(db, restoreAlone);
  let unclean: readonly Unclean[] = [];
  if (restored.redacted > 0 && !dryRun) {
    unclean = await cleanRestored(db, environment, WAIT_MS);
    // What an agent has written meanwhile.
    blankRestored(db, removed);
  }
  if (json) printJson({ ...restored, unclean });
  else {
    if (isNew) print(`${pc.green("✓")} Created a project in ${dirname(ralph)}`);
    print(`${pc.green("✓")} ${sentence(restored, dryRun)}`);
  }
  if (unclean.length > 0) fail(uncleanWords(unclean), "unclean", EXIT.unusable);
}

/** What a log from elsewhere has already is not confirmed by what comes to it. @throws LogError `unknown_log` */
async function intoKnownLog<T>(db: string, location: LogLocation, work: () => Promise<T>): Promise<T> {
  if (logExists(location)) {
    const log = await openLog(location, launchedEnvironment(process.env));
    await requireKnownLog(log, db).finally(() => log.close());
  }
  const done = await work();
  await trustLogAt(db, location);
  return done;
}

/** How long others may keep a file from being cleaned; as long as `redact` waits. */
const WAIT_MS = 10_000;

/** Two imports into one project would take each other's file, or tell of each other's rows as refused. */
async function aloneImporting<T>(db: string, work: () => Promise<T>): Promise<T> {
  const folder = runFolderBeside(db);
  makePrivateFolder(folder);
  const release = takeFileLock(join(folder, "import.lock"));
  if (!release) {
    throw new LogError(
      "busy",
      "Another import into this project is running. Wait until it ends, then import again.",
    );
  }
  try {
    return await work();
  } finally {
    release();
  }
}

function sentence({ head, before, restored, replaced, redacted }: Restored, dryRun: boolean): string {
  if (restored === 0) return `Nothing to do: the project already has all ${head} events of the file.`;
  const had =
    before > 0
      ? `; the other ${before} were there already`
      : replaced > 0
        ? `, replacing the ${replaced} from \`init\``
        : "";
  const would = (count: number) => (dryRun ? "would be" : count === 1 ? "was" : "were");
  const lost =
    redacted === 0
      ? ""
      : ` ${redacted === 1 ? "1 event that the project still had in full" : `${redacted} events that the project still had in full`} ${would(redacted)} redacted.`;
  return `${restored} of ${head} events ${would(restored)} restored unchanged${had}.${lost}`;
}

async function importRows(
  path: string,
  folder: string | undefined,
  { from: format, status: statuses, actor, source, ...options }: Options & { from: Format },
): Promise<void> {
  // Readers of foreign files are needed here alone.
  const { copyInMemory, importSource } = await import("../../outside/exchange/import-source.ts");
  const db = folder === undefined ? readModelPath(options) : readModelPathIn(resolve(folder));
  await withProject({ ...options, db, actor }, async ({ store, via }) => {
    const reports: RowReport[] = [];
    const importInto = async (target: Store) => {
      for await (const report of importSource(target, path, { format, statuses, actor, via, source })) {
        reports.push(report);
        if (options.json) printJsonLine(report);
      }
    };
    if (options.dryRun) {
      const copy = await copyInMemory(store);
      try {
        await importInto(copy);
      } finally {
        await closeStore(copy);
      }
    } else await aloneImporting(db, () => importInto(store));
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
    throw new BadValue('It must be SOURCE_STATUS=STATUS, such as "Review=pending".');
  }
  return new Map([...before, [name, parseStatus(status)]]);
}
