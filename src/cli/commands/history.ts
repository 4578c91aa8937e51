import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import type { Project } from "../../api/project.ts";
import { Refusal } from "../../decisions/refusal.ts";
import type { EventLog } from "../../events/log.ts";
import { exportHistory, importHistory } from "../../history/time-travel/history/carry.ts";
import { isBusy, openHistory } from "../../history/time-travel/history/history.ts";
import { findMadeHistory, headOfHistory } from "../../history/time-travel/history/history-file.ts";
import { makeToHead } from "../../history/time-travel/history/make-to-head.ts";
import { fail, pc, print, printJson } from "../../lib/terminal/output.ts";
import {
  type CommonOptions,
  EXIT,
  guarded,
  projectOptions,
  readModelPath,
  withProject,
} from "../making/command.ts";
import { progressBar } from "../printing/progress.ts";

export function addHistory(program: Command): void {
  const group = program
    .command("history")
    .description("a cache of the state after each event, which makes --at fast in a long log");
  projectOptions(
    group.command("make").description("build it up to the log's head, continuing where it stopped"),
  )
    .addHelpText("after", "\nExample:\n  signalbox history make")
    .action((options: CommonOptions) =>
      guarded(() =>
        withProject(options, async (project) => {
          await make(project);
          await show(project.log, options);
        }),
      ),
    );
  projectOptions(
    group
      .command("export")
      .description("copy it to a file, for use with another copy of the same log")
      .argument("<file>", "a new file"),
  )
    .addHelpText("after", "\nExample:\n  signalbox history export /mnt/usb/shop.history")
    .action((file: string, options: CommonOptions) =>
      guarded(async () => {
        const path = resolve(file);
        const carried = await exportHistory(readModelPath(options), path);
        if (options.json) printJson({ file: path, ...carried });
        else print(`${pc.green("✓")} Copied to ${path}: built up to event ${carried.position}`);
      }),
    );
  projectOptions(
    group
      .command("import")
      .description("import a history exported from the same log; every leaf hash is compared")
      .argument("<file>", "a file that `signalbox history export` wrote"),
  )
    .addHelpText("after", "\nExample:\n  signalbox history import /mnt/usb/shop.history")
    .action((file: string, options: CommonOptions) =>
      guarded(() =>
        withProject({ ...options, readOnly: true }, async ({ log }) => {
          const path = readModelPath(options);
          await importHistory(resolve(file), { log, readModelPath: path });
          await show(log, options);
        }),
      ),
    );
  projectOptions(
    group.command("show", { isDefault: true }).description("show how far it is built, and its size"),
  )
    .addHelpText("after", "\nExample:\n  signalbox history")
    .action((options: CommonOptions) => guarded(() => withProject(options, ({ log }) => show(log, options))));
}

/** The command that the history stands for now. */
export function addFormerSnapshot(program: Command): void {
  program
    .command("snapshot", { hidden: true })
    .description("removed; use history")
    .argument("[any...]")
    .allowUnknownOption()
    .addHelpText("after", "\nExample, instead:\n  signalbox history make")
    .action(() =>
      fail(
        "`signalbox snapshot` was removed. Run `signalbox history make` instead: it makes --at fast.",
        "usage",
        EXIT.usage,
      ),
    );
}

/** @throws Refusal `not_possible`: it would be gone with this process; `contention` */
async function make({ store }: Project): Promise<void> {
  const history = openHistory(store.log, store.readModel.database.name);
  try {
    if (!history.isKept) {
      throw new Refusal(
        "not_possible",
        "The history cannot be saved: .ralph is not writable. Run this as a user who may write there.",
      );
    }
    const bar = progressBar("events", await store.log.head());
    for await (const { position } of makeToHead(history, { max_ms: TURN_MS })) bar.update(position);
    bar.stop();
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new Refusal("contention", "Another process holds the history's lock. Try again.");
  } finally {
    history.close();
  }
}

/** After each turn another process may have one. */
const TURN_MS = 500;

/** Nothing is opened for writing. */
async function show(log: EventLog, options: CommonOptions): Promise<void> {
  const head = await log.head();
  const path = findMadeHistory(readModelPath(options));
  const position = path === undefined ? 0 : headOfHistory(path);
  const bytes = (path && statSync(path, { throwIfNoEntry: false })?.size) || 0;
  if (options.json) printJson({ position, head, bytes });
  else if (position === 0) print("No history yet. Build it with `signalbox history make`.");
  else print(`built up to event ${position} of ${head}, ${(bytes / 1e6).toFixed(1)} MB`);
}
