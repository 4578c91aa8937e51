import { statSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import type { Project } from "../../api/project.ts";
import { Refusal } from "../../decisions/refusal.ts";
import type { EventLog } from "../../events/log.ts";
import { exportHistory, importHistory } from "../../history/time-travel/history/carry.ts";
import { isBusy, openHistory } from "../../history/time-travel/history/history.ts";
import { findMadeHistory, headOfHistory } from "../../history/time-travel/history/history-file.ts";
import { makeToHead } from "../../history/time-travel/history/make-to-head.ts";
import { pc } from "../../lib/terminal/output.ts";
import { type CommonOptions, projectOptions, readModelPath } from "../making/command.ts";
import { defineCommand, defineOutside } from "../making/project-command.ts";
import { progressBar } from "../printing/progress.ts";

/** Records nothing: the history is a file beside the log. */
const make = defineCommand({
  input: z.strictObject({}),
  options: projectOptions,
  async run(project, _input, options) {
    await makeWhole(project);
    return standing(project.log, options);
  },
  command: {
    name: "make",
    does: "build it up to the log's head, continuing where it stopped",
    takes: {},
    example: "",
    says: standingLine,
  },
});

const FILE = z.strictObject({ file: z.string() });

const exportTo = defineOutside({
  input: FILE,
  async run({ file }, options) {
    const path = resolve(file);
    return { file: path, ...(await exportHistory(readModelPath(options), path)) };
  },
  command: {
    name: "export",
    does: "copy it to a file, for use with another copy of the same log",
    takes: { file: ["<file>", "a new file"] },
    example: "/mnt/usb/shop.history",
    says: ({ file, position }) => `${pc.green("✓")} Copied to ${file}: built up to event ${position}`,
  },
});

const importFrom = defineCommand({
  input: FILE,
  options: projectOptions,
  readOnly: true,
  async run({ log }, { file }, options) {
    await importHistory(resolve(file), { log, readModelPath: readModelPath(options) });
    return standing(log, options);
  },
  command: {
    name: "import",
    does: "import a history exported from the same log; every leaf hash is compared",
    takes: { file: ["<file>", "a file that `signalbox history export` wrote"] },
    example: "/mnt/usb/shop.history",
    says: standingLine,
  },
});

const show = defineCommand({
  input: z.strictObject({}),
  options: projectOptions,
  run: ({ log }, _input, options) => standing(log, options),
  command: {
    name: "show",
    isDefault: true,
    does: "show how far it is built, and its size",
    takes: {},
    example: "",
    says: standingLine,
  },
});

export const histories = {
  name: "history",
  does: "a cache of the state after each event, which makes --at fast in a long log",
  has: [make, exportTo, importFrom, show],
};

/** @throws Refusal `not_possible`: it would be gone with this process; `contention` */
async function makeWhole({ store }: Project): Promise<void> {
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

/** How far it is built. Nothing is opened for writing. */
async function standing(log: EventLog, options: CommonOptions) {
  const head = await log.head();
  const path = findMadeHistory(readModelPath(options));
  const position = path === undefined ? 0 : headOfHistory(path);
  return { position, head, bytes: (path && statSync(path, { throwIfNoEntry: false })?.size) || 0 };
}

function standingLine({ position, head, bytes }: Awaited<ReturnType<typeof standing>>): string {
  return position === 0
    ? "No history yet. Build it with `signalbox history make`."
    : `built up to event ${position} of ${head}, ${(bytes / 1e6).toFixed(1)} MB`;
}
