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

/** What came of the import of an exported log. */
export interface Restored {
  /** The position of the last event in the file. */
  readonly head: number;
  /** How many events of the file the project had already. */
  readonly before: number;
  /** How many were put back; 0: there was nothing to do. */
  readonly restored: number;
  /** How many events of `init` made room for them. */
  readonly replaced: number;
  /** How many events the project had with their payload, and has without it now. */
  readonly redacted: number;
}

export interface RestoreOptions {
  /** True: everything is checked, on a log that is thrown away. */
  readonly dryRun?: boolean;
  /** Called with the texts that the next batch takes out of the project's log, while they are still there. */
  readonly beforeRemoval?: (removed: readonly FoundText[]) => void;
}

/**
 * Puts an exported log back. Where there is no log, or one that holds only what `init` records, the whole log takes its
 * place when its last line was read and checked; a project that has a first part of it gets the rest, batch by batch. Run
 * again, it goes on where it was ended, and does nothing where it had come to its end.
 *
 * @param chunks the file's bytes, as they come
 * @param logPath of the project, in a folder that is there
 * @throws ExchangeError `malformed`, `damaged`, `differs`: at which line or position
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
  /** How many there must be. */
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
    // An event without payload and its redaction go into the log together.
    if (batch.length < BATCH || record.position < lastRedaction) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
  return undefined;
}

/** What the project has. `alike`: its log begins as the file does, or is one that is not given up for it. */
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

/** Whole or not at all: it takes the project's place when it is complete. What was ended half-way is gone on with. */
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

/** On a log of its own that is thrown away, and against the project's. */
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
    // Batches that lie within the log need the one before them as little as those behind it do.
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

/** What the log says of a file's events is said of the file. */
function asExchangeError(error: unknown): unknown {
  if (!(error instanceof LogError)) return error;
  if (error.code === "invalid_event") return new ExchangeError("damaged", error.message, { cause: error });
  if (error.code === "history_differs") return new ExchangeError("differs", error.message, { cause: error });
  return error;
}
