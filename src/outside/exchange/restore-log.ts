import { lstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { areBeginnings, BEGINNINGS_LOOK } from "../../events/beginnings.ts";
import type { EventRecord } from "../../events/event-record.ts";
import type { EventLog } from "../../events/log.ts";
import { type LogLocation, logExists } from "../../events/log-location.ts";
import { createLog, openLog } from "../../events/open-log.ts";
import { restorable } from "../../events/record-pages.ts";
import type { FoundText } from "../../events/redaction/without-texts.ts";
import { replaceLog } from "../../events/sqlite-replace.ts";
import type { Environment } from "../../lib/environment.ts";
import { LogError } from "../../lib/log-error.ts";
import { checkFolder } from "../../lib/project-folder.ts";
import { ExchangeError } from "./exchange-error.ts";
import { type Line, linesOf } from "./lines.ts";
import { readHeader, readRecord } from "./log-line.ts";
import { OwnLog } from "./own-log.ts";

/** The result of importing an exported log. */
export interface Restored {
  /** The position of the last event in the file. */
  readonly head: number;
  /** How many events of the file the project already had. */
  readonly before: number;
  /** How many were restored; 0: nothing to do. */
  readonly restored: number;
  /** How many events of `init` were replaced. */
  readonly replaced: number;
  /** How many events of the project were redacted. */
  readonly redacted: number;
}

export interface RestoreOptions {
  /** True: checks everything on a temporary log. */
  readonly dryRun?: boolean;
  /**
   * Called with the texts that the next batch will remove from the project's log, while they are
   * still there.
   */
  readonly beforeRemoval?: (removed: readonly FoundText[]) => void;
}

/**
 * Restores an exported log. If there is no log, or a file with only the events of `init`, the whole
 * log replaces it once its last line is checked; a project with a prefix of it, or an empty log on a
 * server, gets the rest, batch by batch. A repeated import resumes where it stopped, and does
 * nothing if it was complete.
 *
 * @param chunks the file's bytes, as they come
 * @param location of the project's log; of a file, its folder exists
 * @throws ExchangeError `malformed`, `damaged`, `differs`: with the line or position
 * @throws LogError `busy`, `disk`, `damaged`, `newer_schema`
 */
export async function restoreExport(
  chunks: AsyncIterable<Uint8Array>,
  location: LogLocation,
  environment: Environment,
  options: RestoreOptions = {},
): Promise<Restored> {
  if ("path" in location) checkFolder(location.path);
  const log = logExists(location) ? await openLog(location, environment) : undefined;
  try {
    return await restoreOver(log ?? location, chunks, environment, options);
  } finally {
    await log?.close();
  }
}

/**
 * The same, over a log that is open.
 *
 * @param target the log, which is closed if its file is replaced; or the place of a file that does not exist yet
 */
export async function restoreOver(
  target: EventLog | LogLocation,
  chunks: AsyncIterable<Uint8Array>,
  environment: Environment,
  { dryRun = false, beforeRemoval = () => {} }: RestoreOptions = {},
): Promise<Restored> {
  const lines = linesOf(chunks);
  const { head } = readHeader((await lines.next()).value || undefined);
  const batches = restorable(pagesOf(lines));
  const first = (await batches.next()).value ?? [];
  const log = "append" in target ? target : undefined;
  const path = "path" in target ? target.path : undefined;
  const there = await lookAt(log, first[0]);
  const all = { first, batches, head };
  const own = log && there.alike ? new OwnLog(log, dryRun ? () => {} : beforeRemoval) : undefined;
  if (dryRun) await tryOut(all, environment, own);
  else if (log && own) await putInto(log, all, own);
  else if (path === undefined) throw hasBeginnings();
  else {
    // No handle may be open on a file that is replaced.
    await log?.close();
    await putBeside(path, all, environment);
  }
  const before = Math.min(there.alike ? there.head : 0, head);
  return {
    head,
    before,
    restored: head - before,
    replaced: there.alike ? 0 : there.head,
    redacted: own?.redacted ?? 0,
  };
}

interface Batches {
  readonly first: readonly EventRecord[];
  readonly batches: AsyncIterable<readonly EventRecord[]>;
  /** The expected number. */
  readonly head: number;
}

const PAGE = 1_000;

async function* pagesOf(lines: AsyncIterable<Line>): AsyncGenerator<readonly EventRecord[]> {
  let page: EventRecord[] = [];
  for await (const line of lines) {
    page.push(readRecord(line));
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** The project's state. `alike`: its log is a prefix of the file's, or must not be replaced. */
async function lookAt(
  log: EventLog | undefined,
  first: EventRecord | undefined,
): Promise<{ alike: boolean; head: number }> {
  if (!log) return { alike: false, head: 0 };
  const head = await log.head();
  const beginning = await log.records(0, BEGINNINGS_LOOK);
  const same = first !== undefined && beginning[0]?.leafHash.equals(first.leafHash) === true;
  // An empty file may be replaced as a whole; nothing else can.
  const isEmptyElsewhere = head === 0 && log.path === undefined;
  return { alike: same || isEmptyElsewhere || !areBeginnings(beginning), head };
}

function hasBeginnings(): ExchangeError {
  return new ExchangeError(
    "differs",
    "The project's log already has the events of `signalbox init`, and on a server no log is replaced. Import into another folder, and carry that project to an empty log with `signalbox fleet move`.",
  );
}

/** Atomic: it replaces the project's log once it is complete. An interrupted one is resumed. */
async function putBeside(logPath: string, all: Batches, environment: Environment): Promise<void> {
  const beside = `${logPath}.importing`;
  if (lstatSync(beside, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new ExchangeError("refused_file", `${beside} is a symbolic link. Remove it, then import again.`);
  }
  await createLog({ path: beside });
  try {
    await putIntoFile(beside, all, environment);
    replaceLog(beside, logPath);
  } catch (error) {
    for (const end of ["", "-wal", "-shm"]) rmSync(`${beside}${end}`, { force: true });
    throw error;
  }
}

/** On a temporary log, and checked against the project's. */
async function tryOut(all: Batches, environment: Environment, own: OwnLog | undefined): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-import-"));
  try {
    const trial = join(folder, "events.db");
    await createLog({ path: trial });
    await putIntoFile(trial, all, environment, own);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function putIntoFile(
  path: string,
  all: Batches,
  environment: Environment,
  own?: OwnLog,
): Promise<void> {
  const log = await openLog({ path }, environment);
  try {
    await putInto(log, all, own);
  } finally {
    await log.close();
  }
}

async function putInto(log: EventLog, { first, batches, head }: Batches, own?: OwnLog): Promise<void> {
  let last = 0;
  const put = async (batch: readonly EventRecord[]) => {
    await own?.look(batch);
    // Batches within the log need the previous batch as little as those after it do.
    const [record] = batch;
    if (record && record.position !== last + 1) {
      throw new ExchangeError(
        "damaged",
        `Position ${last + 1} is missing: position ${record.position} follows ${last}.`,
      );
    }
    await log.restore(batch);
    last = batch.at(-1)?.position ?? last;
  };
  try {
    await put(first);
    for await (const batch of batches) await put(batch);
  } catch (error) {
    throw asExchangeError(error);
  }
  if (last !== head) {
    throw new ExchangeError(
      "damaged",
      `The file ends at position ${last}, but its first line says ${head}. Export the log again, or provide the whole file.`,
    );
  }
}

/** Reports the log's errors about events as errors of the file. */
function asExchangeError(error: unknown): unknown {
  if (!(error instanceof LogError)) return error;
  if (error.code === "invalid_event") return new ExchangeError("damaged", error.message, { cause: error });
  if (error.code === "history_differs") return new ExchangeError("differs", error.message, { cause: error });
  return error;
}
