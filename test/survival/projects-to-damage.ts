import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { history } from "../../bench/lib/history.ts";
import { readModelPathIn } from "../../src/api/project.ts";
import { closeStore, openStore } from "../../src/decisions/store.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import type { Draft, Event } from "../../src/events/types/index.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { environmentAt, everythingIn, NOON } from "../events/given.ts";

/** The files of one project as they lay on the disk at one moment, kept in memory. */
export interface Project {
  readonly files: ReadonlyMap<FileName, Buffer>;
  /** What the log holds. */
  readonly events: readonly Event[];
  /** The positions at which a commit ends that is in the -wal of the log; the first is where the main file ends. */
  readonly commits: readonly number[];
  readonly contentHash: string;
}

const fileNames = ["events.db", "events.db-wal", "ralph.db", "ralph.db-wal"] as const;
export type FileName = (typeof fileNames)[number];

/** The moments at which a project is caught: they differ in what is in the main files and what in the journals. */
export type Moment = "closed" | "at work" | "checkpointed";

/**
 * Makes a project and takes its files at a moment: `closed`, with all in the main files; `at work`, with the last
 * commits in the journals only; `checkpointed`, as that, with a part of the journals in the main files too.
 */
export async function makeProject(
  folder: string,
  moment: Moment,
  size: number,
  seed: number,
): Promise<Project> {
  const path = readModelPathIn(folder);
  mkdirSync(join(folder, ".ralph", "db"), { recursive: true });
  createLogFile(logPathBeside(path));
  const drafts = draftsOf(size, seed);
  const third = Math.ceil(drafts.length / 3);
  const environment = environmentAt({ now: NOON }, `project ${seed}`);
  const open = () => openStore(path, environment);

  let store = await open();
  const commits: number[] = [];
  const append = async (from: number, to: number) => {
    for (let start = from; start < to; start += BATCH) {
      await store.log.append(drafts.slice(start, Math.min(to, start + BATCH)));
      await catchUp(store.readModel, store.log);
      commits.push(await store.log.head());
    }
  };
  const close = async () => {
    await closeStore(store);
    for (const file of [logPathBeside(path), path]) emptyJournal(file);
  };
  await append(0, third);
  await close();
  store = await open();
  if (moment !== "closed") commits.splice(0, commits.length - 1);
  await append(third, 2 * third);
  if (moment === "checkpointed") {
    // A reader that looks on keeps the journals from being begun anew after they were copied to the main files.
    const readers = [logPathBeside(path), path].map(lookOn);
    await append(2 * third, drafts.length - BATCH);
    for (const reader of readers) reader.checkpoint();
    await append(drafts.length - BATCH, drafts.length);
    for (const reader of readers) reader.close();
  } else {
    await append(2 * third, drafts.length);
  }
  const events = await everythingIn(store.log);
  const contentHash = store.readModel.contentHash();
  if (moment === "closed") {
    await close();
    return { files: filesIn(folder), events, commits: [events.length], contentHash };
  }
  const files = filesIn(folder);
  await closeStore(store);
  return { files, events, commits, contentHash };
}

/** Lays the files into the folder of a project, and says where they are. */
export function writeProject(folder: string, files: Project["files"]): string {
  const path = join(folder, ".ralph", "db");
  mkdirSync(path, { recursive: true });
  for (const [name, content] of files) writeFileSync(join(path, name), content);
  return path;
}

function filesIn(folder: string): Map<FileName, Buffer> {
  const path = join(folder, ".ralph", "db");
  const present = fileNames.filter((name) => existsSync(join(path, name)));
  return new Map(present.map((name) => [name, readFileSync(join(path, name))]));
}

const BATCH = 10;

/** The beginning of a project's life; some summaries are longer than a page, so that they go on in pages of their own. */
function draftsOf(size: number, seed: number): Draft[] {
  const life = history("growing", seed);
  return Array.from({ length: size }, (_, index) => {
    const draft = life.next().value;
    if (draft.type !== "signal.partial" || index % 3 > 0) return draft;
    return { ...draft, payload: { ...draft.payload, summary: `${draft.payload.summary} ${LONG_TALE}` } };
  });
}

const LONG_TALE = "A long tale. ".repeat(800);

/** Brings all that is in a journal to its main file, and removes it. */
function emptyJournal(path: string): void {
  const database = new Database(path);
  database.pragma("wal_checkpoint(TRUNCATE)");
  database.close();
}

function lookOn(path: string): { checkpoint(): void; close(): void } {
  const reader = new Database(path);
  reader.exec("BEGIN; SELECT count(*) FROM sqlite_schema");
  return {
    checkpoint() {
      const other = new Database(path);
      other.pragma("wal_checkpoint(PASSIVE)");
      other.close();
    },
    close: () => void reader.close(),
  };
}
