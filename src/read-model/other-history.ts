import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import type { Acknowledgement } from "../events/acknowledged.ts";
import { copyDatabase } from "../events/copy-database.ts";
import type { EventLog } from "../events/log.ts";
import { parsedJson } from "../lib/json.ts";
import { counted } from "../lib/readable.ts";
import { contentOf, writeWhole } from "../lib/write-whole.ts";
import type { ReadModel } from "./read-model.ts";

const keptHistory = z.object({
  /** The log's epoch when this host noticed it. */
  epoch: z.int(),
  /** Up to where the read model had reduced the former history. */
  position: z.int(),
  /** What this host was answered, and the log no longer has. */
  lost: z.array(z.object({ position: z.int(), id: z.string() })),
});

/** What a host keeps of a history that another one replaced, until somebody removes it. */
export interface KeptHistory {
  /** The read model as it was; the list of what was lost lies beside it, with `.json`. */
  readonly path: string;
  /** Undefined where the list cannot be read. */
  readonly list: z.infer<typeof keptHistory> | undefined;
}

/** For people. */
export function describeKept({ path, list }: KeptHistory): { readonly found: string; readonly mend: string } {
  const lost = list
    ? `lacks ${counted(list.lost.length, "event")} that this host had recorded`
    : `the list of what this host lost, ${path}${LIST}, cannot be read`;
  return {
    found: `another history took the log's place${list ? ` (epoch ${list.epoch})` : ""}: ${list ? "it " : ""}${lost}`,
    mend: `${path} is the read model as it was, ${path}${LIST} lists the events. Record again what counts, then remove both files.`,
  };
}

/**
 * Keeps the read model as it is, as `ralph.db.before-EPOCH`, and a list of what this host was answered and the log no longer has.
 * To be called before the read model is made anew from another history. Called again after a kill, or by several at once, it keeps
 * one copy and one list.
 *
 * @param position of the read model, from before it was found to be of another history
 * @throws LogError of the log; Error from the system: there is no room
 */
export async function keepHistory(readModel: ReadModel, log: EventLog, position: number): Promise<void> {
  const { acknowledged } = log;
  if (!acknowledged) return;
  const { epoch } = await log.identity();
  const path = pathFor(readModel.database.name, epoch, position);
  const lost = await lostFrom(log, acknowledged.list());
  if (!existsSync(path)) {
    await copyDatabase(readModel.database, path, () => {}).catch((error) => {
      // Another program was faster.
      if (!existsSync(path)) throw error;
    });
  }
  // Read last: who was faster has taken his events out of what is acknowledged.
  const listed = listAt(path)?.lost ?? [];
  const isListed = new Set(listed.map(({ id }) => id));
  const all = [...listed, ...lost.filter(({ id }) => !isListed.has(id))];
  writeWhole(path + LIST, `${JSON.stringify({ epoch, position, lost: all }, undefined, 1)}\n`);
  acknowledged.forget(lost);
}

/** What is kept beside a read model, until somebody removes it. */
export function keptHistories(readModelPath: string): readonly KeptHistory[] {
  const folder = dirname(readModelPath);
  if (!existsSync(folder)) return [];
  const beginning = `${basename(readModelPath)}.before-`;
  return readdirSync(folder)
    .filter((name) => name.startsWith(beginning) && name.endsWith(LIST))
    .map((name) => join(folder, name.slice(0, -LIST.length)))
    .toSorted()
    .map((path) => ({ path, list: listAt(path) }));
}

/**
 * Those that a log no longer has: another history took its place.
 *
 * @throws LogError of the log
 */
export async function lostFrom(
  log: EventLog,
  acknowledged: readonly Acknowledgement[],
): Promise<readonly Acknowledgement[]> {
  const lost: Acknowledgement[] = [];
  // Each is asked for: some may have been answered on the new history, or appended again.
  for (const event of acknowledged) {
    const [there] = await log.read(event.position - 1, 1);
    // Only where it is not in its place: `find` also waits until a standby has what it finds.
    if (there?.id !== event.id && !(await log.find(event.id))) lost.push(event);
  }
  return lost;
}

/** Two histories of one epoch are told apart by how far they went. */
function pathFor(readModelPath: string, epoch: number, position: number): string {
  const path = `${readModelPath}.before-${epoch}`;
  const isFree = !existsSync(path + LIST) || listAt(path)?.position === position;
  return isFree ? path : `${path}-at-${position}`;
}

/** The end of the list's name. */
const LIST = ".json";

function listAt(path: string): KeptHistory["list"] {
  return keptHistory.safeParse(parsedJson(contentOf(path + LIST) ?? "")).data;
}
