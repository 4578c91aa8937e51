import { readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ownHost } from "../../events/own-host.ts";
import { makePrivateFolder } from "../../lib/private-folder.ts";
import { identityOf, type ProcessIdentity, runs } from "../../lib/processes/identity.ts";
import { ralphFolderOf } from "../../lib/project-folder.ts";
import { contentOf, writeWhole } from "../../lib/write-whole.ts";

/**
 * Heartbeats of drivers: one file each in `.ralph/drivers/`, touched at every beat. Whether a
 * driver is alive is not a lasting fact, so it is not in the log; the consequences of its death are
 * (docs/decisions/0021).
 */
const BEAT_MS = 2_000;
/** A driver without a heartbeat for this long is dead, unless its process is known to run. */
export const SILENCE_LIMIT_MS = 30_000;

const entrySchema = z.object({
  driver: z.string(),
  host: z.string(),
  /** Absent in what older programs wrote. */
  host_id: z.string().optional(),
  pid: z.int(),
  began: z.string().optional(),
  pid_namespace: z.string().optional(),
});

export interface DriverView {
  readonly driver: string;
  /** The name of its machine. */
  readonly host: string;
  /** The id of its host; null if an older program wrote its file. */
  readonly host_id: string | null;
  readonly pid: number;
  /** Milliseconds since its last beat. */
  readonly silent_ms: number;
  readonly alive: boolean;
  /** Whether its process runs; null where that cannot be known from here, as in another container. */
  readonly runs: boolean | null;
}

/** Writes a driver's first or next heartbeat. `pid` is the driver's process. */
export function beat(readModelPath: string, driver: string, pid: number): void {
  const path = entryPath(readModelPath, driver);
  const entry = JSON.stringify({ driver, ...identityOf(pid), host_id: ownHost(readModelPath).host });
  if (contentOf(path) === entry) {
    const now = new Date();
    utimesSync(path, now, now);
    return;
  }
  makePrivateFolder(folderOf(readModelPath));
  writeWhole(path, entry);
}

/**
 * Gives this process's signs of life as a driver. One that fails, for example on a full disk, is skipped: the process itself is still
 * visible.
 *
 * @returns what signs it off
 */
export function keepAlive(readModelPath: string, driver: string): () => void {
  beat(readModelPath, driver, process.pid);
  const beats = setInterval(() => {
    try {
      beat(readModelPath, driver, process.pid);
    } catch {
      // The next one may succeed.
    }
  }, BEAT_MS);
  return () => {
    clearInterval(beats);
    signOff(readModelPath, driver);
  };
}

/** Removes a driver's heartbeat at its end. */
export function signOff(readModelPath: string, driver: string): void {
  rmSync(entryPath(readModelPath, driver), { force: true });
}

/** Every driver that has a heartbeat file. */
export function listDrivers(readModelPath: string): DriverView[] {
  return namesIn(folderOf(readModelPath)).flatMap((name) => {
    const view = viewOf(join(folderOf(readModelPath), name));
    return view ? [view] : [];
  });
}

/** The signs of life of one driver; undefined without a file: it has ended, never existed, or is another host's (judge.ts). */
export function signOf(readModelPath: string, driver: string): DriverView | undefined {
  return viewOf(entryPath(readModelPath, driver));
}

function viewOf(path: string): DriverView | undefined {
  const text = contentOf(path);
  if (text === undefined) return undefined;
  let entry: z.infer<typeof entrySchema>;
  let silent_ms: number;
  try {
    entry = entrySchema.parse(JSON.parse(text));
    silent_ms = Math.max(0, Date.now() - statSync(path).mtimeMs);
  } catch {
    return undefined;
  }
  const identity: ProcessIdentity = entry;
  const isRunning = runs(identity);
  return {
    driver: entry.driver,
    host: entry.host,
    host_id: entry.host_id ?? null,
    pid: entry.pid,
    silent_ms,
    alive: isRunning ?? silent_ms < SILENCE_LIMIT_MS,
    runs: isRunning ?? null,
  };
}

function folderOf(readModelPath: string): string {
  return join(ralphFolderOf(readModelPath), "drivers");
}

function entryPath(readModelPath: string, driver: string): string {
  return join(folderOf(readModelPath), `${encodeURIComponent(driver)}.json`);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort();
  } catch {
    return [];
  }
}
