import { existsSync, lstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../events/environment.ts";
import type { EventRecord } from "../events/event-record.ts";
import { LogError } from "../events/log-error.ts";
import { checkFolder } from "../events/project-folder.ts";
import type { FoundText } from "../events/redaction/without-texts.ts";
import { createLogFile, openForReading } from "../events/sqlite-file.ts";
import { openSqliteLog } from "../events/sqlite-log.ts";
import { prepareReader } from "../events/sqlite-records.ts";
import { beginningsOf, replaceLog } from "../events/sqlite-replace.ts";
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
 * Restores an exported log. If there is no log, or one with only the events of `init`, the whole
 * log replaces it once its last line is checked; a project with a prefix of it gets the rest, batch
 * by batch. A repeated import resumes where it stopped, and does nothing if it was complete.
 *
 * @param chunks the file's bytes, as they come
 * @param logPath the project's log, in an existing folder
 * @throws ExchangeError `malformed`, `damaged`, `differs`: with the line or position
 * @throws LogError `busy`, `disk`, `damaged`, `newer_schema`
 */
export async function restoreExport(
  chunks: AsyncIterable<Uint8Array>,
  logPath: string,
  environment: Environment,
  { dryRun = false, beforeRemoval = () => {} }: RestoreOptions = {},
): Promise<Restored> {
  checkFolder(logPath);
  const lines = linesOf(chunks);
  const { head } = readHeader((await lines.next()).value || undefined);
  const batches = batchesOf(lines);
  const first = (await batches.next()).value ?? [];
  const there = lookAt(logPath, first[0]);
  const all = { first, batches, head };
  const own = there.alike ? new OwnLog(logPath, dryRun ? () => {} : beforeRemoval) : undefined;
  try {
    if (dryRun) await tryOut(all, environment, own);
    else if (own) await putInto(logPath, all, environment, own);
    else await putBeside(logPath, all, environment);
  } finally {
    own?.close();
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

const BATCH = 1_000;

async function* batchesOf(lines: AsyncIterable<Line>): AsyncGenerator<readonly EventRecord[], undefined> {
  let batch: EventRecord[] = [];
  let lastRedaction = 0;
  for await (const line of lines) {
    const record = readRecord(line);
    batch.push(record);
    lastRedaction = Math.max(lastRedaction, record.redaction?.position ?? 0);
    // An event without payload and its redaction are restored together.
    if (batch.length < BATCH || record.position < lastRedaction) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
  return undefined;
}

/** The project's state. `alike`: its log is a prefix of the file's, or must not be replaced. */
function lookAt(logPath: string, first: EventRecord | undefined): { alike: boolean; head: number } {
  if (!existsSync(logPath)) return { alike: false, head: 0 };
  const database = openForReading(logPath);
  try {
    const reader = prepareReader(database);
    const head = reader.head();
    const [own] = reader.page(0, 1);
    const same = own !== undefined && first !== undefined && own.leafHash.equals(first.leafHash);
    return { alike: same || beginningsOf(database) === undefined, head };
  } finally {
    database.close();
  }
}

/** Atomic: it replaces the project's log once it is complete. An interrupted one is resumed. */
async function putBeside(logPath: string, all: Batches, environment: Environment): Promise<void> {
  const beside = `${logPath}.importing`;
  if (lstatSync(beside, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new ExchangeError("refused_file", `${beside} is a symbolic link. Remove it, then import again.`);
  }
  createLogFile(beside);
  try {
    await putInto(beside, all, environment);
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
    createLogFile(trial);
    await putInto(trial, all, environment, own);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function putInto(
  path: string,
  { first, batches, head }: Batches,
  environment: Environment,
  own?: OwnLog,
): Promise<void> {
  const log = openSqliteLog(path, environment);
  let last = 0;
  const put = async (batch: readonly EventRecord[]) => {
    own?.look(batch);
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
  } finally {
    await log.close();
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
